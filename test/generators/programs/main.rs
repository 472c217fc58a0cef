use reqwest::header::{HeaderMap, HeaderValue, AUTHORIZATION};

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let token = HeaderValue::from_str(&format!("Bearer {}", arguments[2])).unwrap();
    let http = reqwest::Client::builder()
        .default_headers(HeaderMap::from_iter([(AUTHORIZATION, token)]))
        .build()
        .unwrap();
    let client = corkapi::Client::new_with_client(&arguments[1], http);
    let task = arguments[3].parse().unwrap();
    let answer = client.tasks_get(&task, None, None).await.unwrap();
    println!("{}", answer.into_inner().data.title.as_str());
}
