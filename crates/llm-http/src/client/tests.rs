use super::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// A client of a server that gives each connection the next of `answers`, and then nothing.
async fn client_of(answers: Vec<&'static str>) -> Client {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let mut kept = Vec::new();
        for answer in answers {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut request = [0; 4096];
            let _ = socket.read(&mut request).await;
            socket.write_all(answer.as_bytes()).await.unwrap();
            kept.push(socket);
        }
        std::future::pending::<()>().await;
    });
    Client::new(ClientOptions { max_retry_delay: Duration::from_millis(5), ..ClientOptions::new(url) }).unwrap()
}

fn run(work: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work);
}

const UNAVAILABLE: &str = "HTTP/1.1 503 Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

#[test]
fn r7_2_a_server_error_is_retried_until_an_answer() {
    run(async {
        let answer: &'static str =
            "HTTP/1.1 200 OK\r\ncontent-length: 42\r\n\r\n{\"choices\":[{\"message\":{\"content\":\"hi\"}}]}";
        let client = client_of(vec![UNAVAILABLE, answer]).await;
        let body = client.request(r#"{"model":"m","messages":[]}"#).unwrap();
        let ChatOutcome { result, attempts, .. } = client.chat(body, CancellationToken::new()).await;
        assert_eq!(result.unwrap().content, "hi");
        assert_eq!(attempts.len(), 2);
    });
}

#[test]
fn r7_2_cancelling_ends_a_waiting_request() {
    run(async {
        let client = client_of(vec![""]).await;
        let token = CancellationToken::new();
        let body = client.request(r#"{"model":"m","messages":[]}"#).unwrap();
        let cancel = async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            token.cancel();
        };
        let (outcome, ()) = tokio::join!(client.chat(body, token.clone()), cancel);
        assert_eq!(outcome.result.unwrap_err().kind, FailureKind::Cancelled);
    });
}
