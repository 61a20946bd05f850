"""Kind ``joints``: several bodies coupled by joints, springs and motors."""
