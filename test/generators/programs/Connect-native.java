package org.openapitools.client;

class Connect {
  static ApiClient to(String url, String token) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    return client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + token));
  }
}
