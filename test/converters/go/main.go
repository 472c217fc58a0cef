// Calls tools with the official SDK, and prints the texts of each result.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type request struct {
	URL   string `json:"url"`
	Token string `json:"token"`
	Calls []struct {
		Name      string         `json:"name"`
		Arguments map[string]any `json:"arguments"`
	} `json:"calls"`
}

// bearerToken is a transport that sends a token with each HTTP request.
type bearerToken string

func (token bearerToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(token))
	return http.DefaultTransport.RoundTrip(r)
}

func main() {
	var req request
	if err := json.NewDecoder(os.Stdin).Decode(&req); err != nil {
		log.Fatal(err)
	}
	texts, err := callAll(context.Background(), req)
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(texts); err != nil {
		log.Fatal(err)
	}
}

func callAll(ctx context.Context, req request) ([][]string, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint:   req.URL,
		HTTPClient: &http.Client{Transport: bearerToken(req.Token)},
	}, nil)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	if _, err := session.ListTools(ctx, nil); err != nil {
		return nil, err
	}
	texts := make([][]string, len(req.Calls))
	for i, call := range req.Calls {
		params := &mcp.CallToolParams{Name: call.Name, Arguments: call.Arguments}
		result, err := session.CallTool(ctx, params)
		if err != nil {
			return nil, err
		}
		for _, part := range result.Content {
			if text, ok := part.(*mcp.TextContent); ok {
				texts[i] = append(texts[i], text.Text)
			}
		}
	}
	return texts, nil
}
