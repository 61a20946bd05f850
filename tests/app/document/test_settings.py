"""Settings last; a damaged file falls back, key by key."""

from __future__ import annotations

from app.document.settings import MOST_RECENT, Settings, load_settings, save_settings


def test_they_last(tmp_path) -> None:
    path = tmp_path / "deep" / "settings.toml"
    settings = Settings(theme="light", degrees=False, charts={"free": ["ωx"]})
    settings.remember(tmp_path / "a.toml")
    save_settings(settings, path)
    assert load_settings(path) == settings


def test_what_is_damaged_or_wrong_falls_back(tmp_path) -> None:
    path = tmp_path / "settings.toml"
    for text in ("theme = ", "\0\0", ""):
        path.write_text(text, encoding="utf-8")
        assert load_settings(path) == Settings()
    path.write_bytes(b"\xff\xfe\x00")
    assert load_settings(path) == Settings()
    path.write_text("theme = 'pink'\ndegrees = false\nhat = 1\nrecent = 3\n", encoding="utf-8")
    assert load_settings(path) == Settings(degrees=False)


def test_recent_files_are_few_and_the_newest_is_first(tmp_path) -> None:
    settings = Settings()
    for number in range(20):
        settings.remember(tmp_path / f"{number}.toml")
    settings.remember(tmp_path / "15.toml")
    assert len(settings.recent) == MOST_RECENT
    assert settings.recent[0] == str(tmp_path / "15.toml")
    assert settings.recent[1] == str(tmp_path / "19.toml")


def test_two_windows_keep_what_each_has_changed(tmp_path) -> None:
    path = tmp_path / "settings.toml"
    save_settings(Settings(recent=["/a", "/b"], degrees=False), path)
    one, other, before = (load_settings(path) for _ in range(3))
    one.language, one.charts = "fr", {"free": ["ωx"]}
    one.exports, other.exports = {"Film": ["GIF", "1280x720"]}, {"Data": ["Parquet", ""]}
    one.remember("/c")
    other.theme, other.charts = "dark", {"top": ["ωy"]}
    other.remember("/d")
    other.remember("/b")
    for settings in (one, other):
        assert save_settings(settings, path, before) == ""
    found = load_settings(path)
    assert (found.language, found.theme, found.degrees) == ("fr", "dark", False)
    assert found.charts == one.charts | other.charts
    assert found.exports == one.exports | other.exports
    assert found.recent == ["/b", "/d", "/c", "/a"]


def test_a_place_that_cannot_be_written_is_no_obstacle(tmp_path) -> None:
    (tmp_path / "file").write_text("")
    save_settings(Settings(), tmp_path / "file" / "settings.toml")


def test_a_link_to_the_settings_stays_one(tmp_path) -> None:
    (tmp_path / "own.toml").write_text('theme = "light"\n')
    (tmp_path / "settings.toml").symlink_to("own.toml")
    assert save_settings(Settings(theme="dark"), tmp_path / "settings.toml") == ""
    assert (tmp_path / "settings.toml").is_symlink()
    assert load_settings(tmp_path / "own.toml").theme == "dark"
