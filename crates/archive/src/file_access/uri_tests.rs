use super::file_uri;

#[test]
fn file_uri_escapes_a_path_as_each_system_writes_it() {
    let uri = |path, windows| file_uri(path, "immutable=1", windows);
    assert_eq!(uri("/home/me/a?#%.db", false), "file:///home/me/a%3f%23%25.db?immutable=1");
    assert_eq!(uri("/home/a\\b.db", false), "file:///home/a\\b.db?immutable=1");
    assert_eq!(uri("C:\\Users\\me\\a b.db", true), "file:///C:/Users/me/a b.db?immutable=1");
    assert_eq!(uri("c:/x/归档.db", true), "file:///c:/x/归档.db?immutable=1");
    assert_eq!(uri("\\\\srv\\share\\a.db", true), "file:////srv/share/a.db?immutable=1");
    assert_eq!(uri("\\\\?\\C:\\a.db", true), "file:////%3f/C:/a.db?immutable=1");
}
