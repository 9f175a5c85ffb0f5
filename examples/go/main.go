// Asks Bearing over NATS who the holder of an organization token is.
//
// The token comes from standard input, never from an argument, which everybody on the machine can read.
//
//	NATS_URL=nats://localhost:4222 NATS_USER=billing NATS_NKEY_FILE=billing.nk go run . < token.txt
//
// Exit codes: 0 valid, 1 refused, 3 cannot be verified right now.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

const (
	refused      = 1
	cannotVerify = 3
)

// Credential is what identity is asked about.
type Credential struct {
	Kind  string `json:"kind"`
	Token string `json:"token"`
}

// Principal is the holder of a credential. A newer identity may return kinds and permissions that are not known here: they
// grant nothing.
type Principal struct {
	Kind           string   `json:"kind"`
	OrganizationID string   `json:"organization_id"`
	Permissions    []string `json:"permissions"`
}

// Answer is what identity says about a credential.
type Answer struct {
	Active    bool      `json:"active"`
	Reason    string    `json:"reason"`
	Principal Principal `json:"principal"`
}

// ErrCannotVerify says that nobody knows whether the credential is valid. Return 503 to your caller, never 401.
var ErrCannotVerify = errors.New("cannot be verified")

// Introspect returns what identity says about a credential.
func Introspect(connection *nats.Conn, credential Credential) (Answer, error) {
	question, err := json.Marshal(credential)
	if err != nil {
		return Answer{}, err
	}
	reply, err := connection.Request("identity.v1.credential.introspect", question, 3*time.Second)
	if err != nil { // no service, no connection, or no reply in time
		return Answer{}, fmt.Errorf("%w: %v", ErrCannotVerify, err)
	}
	if code := reply.Header.Get("Nats-Service-Error-Code"); code != "" {
		return Answer{}, fmt.Errorf("%w: error %s", ErrCannotVerify, code)
	}
	var answer Answer
	if err := json.Unmarshal(reply.Data, &answer); err != nil {
		return Answer{}, fmt.Errorf("%w: %v", ErrCannotVerify, err)
	}
	return answer, nil
}

func run() (int, error) {
	user := os.Getenv("NATS_USER")
	nkey, err := nats.NkeyOptionFromSeed(os.Getenv("NATS_NKEY_FILE"))
	if err != nil {
		return cannotVerify, err
	}
	connection, err := nats.Connect(
		os.Getenv("NATS_URL"),
		nats.Name(user),
		nkey,
		// Nobody but this user may listen here, and nobody but identity may reply here.
		nats.CustomInboxPrefix("_INBOX."+user+".identity"),
	)
	if err != nil {
		return cannotVerify, err
	}
	defer connection.Close()
	token, err := io.ReadAll(os.Stdin)
	if err != nil {
		return cannotVerify, err
	}
	answer, err := Introspect(connection, Credential{"organization_token", strings.TrimSpace(string(token))})
	if err != nil {
		return cannotVerify, err
	}
	if !answer.Active {
		return refused, fmt.Errorf("refused: %s", answer.Reason)
	}
	return 0, json.NewEncoder(os.Stdout).Encode(answer.Principal)
}

func main() {
	code, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}
