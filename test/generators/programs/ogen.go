package main

import (
	"context"
	"fmt"
	"os"

	"example.com/call/cork"

	"github.com/ogen-go/ogen/ogenerrors"
)

type token string

func (secret token) Bearer(context.Context, cork.OperationName) (cork.Bearer, error) {
	return cork.Bearer{Token: string(secret)}, nil
}

func (token) Session(context.Context, cork.OperationName) (cork.Session, error) {
	return cork.Session{}, ogenerrors.ErrSkipClientSecurity
}

func main() {
	client, err := cork.NewClient(os.Args[1], token(os.Args[2]))
	if err != nil {
		panic(err)
	}
	answer, err := client.TasksGet(context.Background(), cork.TasksGetParams{Task: os.Args[3]})
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.Data.Title)
}
