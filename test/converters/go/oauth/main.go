// Connects with the official SDK by an address alone. It prints "open <address>" and reads where the
// browser was sent. Then it calls a tool at each line.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net/url"
	"os"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

const redirect = "http://127.0.0.1:5000/callback"

var lines = bufio.NewScanner(os.Stdin)

func readLine() string {
	lines.Scan()
	return lines.Text()
}

func openBrowser(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
	fmt.Println("open", args.URL)
	answer, err := url.Parse(readLine())
	if err != nil {
		return nil, err
	}
	fields := answer.Query()
	return &auth.AuthorizationResult{
		Code:  fields.Get("code"),
		State: fields.Get("state"),
		Iss:   fields.Get("iss"),
	}, nil
}

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, endpoint string) error {
	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{
				ClientName:   "Lantern",
				RedirectURIs: []string{redirect},
			},
		},
		RedirectURL:              redirect,
		AuthorizationCodeFetcher: openBrowser,
	})
	if err != nil {
		return err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "Lantern", Version: "1"}, nil)
	transport := &mcp.StreamableClientTransport{Endpoint: endpoint, OAuthHandler: handler}
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	for {
		call := &mcp.CallToolParams{
			Name:      "svc_user_context",
			Arguments: map[string]any{"action": "hello"},
		}
		if _, err := session.CallTool(ctx, call); err != nil {
			return err
		}
		fmt.Println("answered")
		if readLine() == "" {
			return nil
		}
	}
}
