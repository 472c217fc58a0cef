//! Calls tools with the official SDK, and prints the texts of each result.

use std::error::Error;

use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, ContentBlock};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;

#[derive(serde::Deserialize)]
struct Request {
    url: String,
    token: String,
    calls: Vec<CallToolRequestParams>,
}

fn text_of(part: ContentBlock) -> Option<String> {
    match part {
        ContentBlock::Text(content) => Some(content.text),
        _ => None,
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let request: Request = serde_json::from_reader(std::io::stdin())?;
    let config =
        StreamableHttpClientTransportConfig::with_uri(request.url).auth_header(request.token);
    // `serve` uses the handshake from before 2026-07-28, unlike the other clients.
    let client = ().serve(StreamableHttpClientTransport::from_config(config)).await?;
    client.list_all_tools().await?;
    let mut texts: Vec<Vec<String>> = Vec::new();
    for call in request.calls {
        let result = client.call_tool(call).await?;
        texts.push(result.content.into_iter().filter_map(text_of).collect());
    }
    client.cancel().await?;
    println!("{}", serde_json::to_string(&texts)?);
    Ok(())
}
