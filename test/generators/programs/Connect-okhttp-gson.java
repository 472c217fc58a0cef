package org.openapitools.client;

class Connect {
  static ApiClient to(String url, String token) {
    ApiClient client = new ApiClient().setBasePath(url);
    client.setBearerToken(token);
    return client;
  }
}
