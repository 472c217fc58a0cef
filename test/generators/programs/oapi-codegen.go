package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.com/call/cork"
)

func main() {
	token := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Args[2])
		return nil
	}
	client, err := cork.NewClientWithResponses(os.Args[1], cork.WithRequestEditorFn(token))
	if err != nil {
		panic(err)
	}
	answer, err := client.TasksGetWithResponse(context.Background(), os.Args[3], nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.JSON200.Data.Title)
}
