use serde_json::json;

use super::chat_messages;
use crate::model::{Media, MediaKind, MediaSource, Message, Part, Role};

fn media(kind: MediaKind, media_type: Option<&str>, source: MediaSource) -> Part {
    Part::Media(Media { kind, media_type: media_type.map(str::to_owned), source })
}

#[test]
fn media_keep_their_url_or_get_a_data_url() {
    let png = media(MediaKind::Image, Some("image/png"), MediaSource::Base64("iVBO".to_owned()));
    let linked = media(MediaKind::Image, None, MediaSource::Reference("https://host/a.png".to_owned()));
    let file = media(MediaKind::File, None, MediaSource::Base64("AAAA".to_owned()));
    let message = Message::new(Role::User, None, vec![Part::Text("see".to_owned()), png, linked, file]);
    assert_eq!(
        chat_messages(&message),
        [json!({"role": "user", "content": [
            {"type": "text", "text": "see"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBO"}},
            {"type": "image_url", "image_url": {"url": "https://host/a.png"}},
            {"type": "file", "file": {"file_data": "data:application/octet-stream;base64,AAAA"}},
        ]})]
    );
}

#[test]
fn a_call_with_free_text_is_a_custom_call_and_media_in_a_result_become_a_text() {
    let call = Part::Call {
        id: "c".to_owned(),
        name: "apply_patch".to_owned(),
        arguments: "*** Begin".to_owned(),
        free_text: true,
    };
    let content =
        vec![Part::Text("done".to_owned()), media(MediaKind::Image, None, MediaSource::Reference("x".to_owned()))];
    let result = Part::Result { id: "c".to_owned(), content, is_error: false };
    let custom = json!({"name": "apply_patch", "input": "*** Begin"});
    assert_eq!(
        chat_messages(&Message::new(Role::Assistant, None, vec![call])),
        [
            json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "custom", "custom": custom}]})
        ]
    );
    assert_eq!(
        chat_messages(&Message::new(Role::Tool, None, vec![result])),
        [json!({"role": "tool", "tool_call_id": "c", "content": "done\n[image or file]"})]
    );
}
