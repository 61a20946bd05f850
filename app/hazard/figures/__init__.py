"""Figures and tables of many rocks: of the papers, of fits, of sites with measured rocks."""
