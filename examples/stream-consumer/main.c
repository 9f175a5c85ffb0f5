/* Prints what devices send, a line of JSON each, until it is stopped.
 *
 * NATS_URL           such as nats://127.0.0.1:4222
 * NATS_NKEY_SEED     of the NATS user, SU…
 * STREAM_CONSUMER    made by `bearing admin stream-consumers create`; the name of the NATS user
 *
 * cc -o consumer main.c -lnats      (Debian: libnats-dev)
 */
#include <inttypes.h>
#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Messages of one request, and how long it waits for them, in milliseconds. */
enum { BATCH = 100, WAIT_MS = 5000 };

static const char *setting(const char *name) {
  const char *value = getenv(name);
  if (value != NULL && *value != '\0') return value;
  fprintf(stderr, "%s is not set\n", name);
  exit(2);
}

static void require(natsStatus status, const char *what) {
  if (status == NATS_OK) return;
  fprintf(stderr, "%s: %s\n", what, natsStatus_GetText(status));
  exit(1);
}

/** Signs what the server asks with, by the seed of the user. */
static natsStatus sign(char **problem, unsigned char **signature, int *length, const char *nonce, void *seed) {
  natsStatus status = nats_Sign(seed, nonce, signature, length);
  if (status != NATS_OK) *problem = strdup(natsStatus_GetText(status));
  return status;
}

/** Prints messages. One that was printed before a crash comes again: keep the last ids where that matters. */
static void print_all(natsMsgList *list) {
  for (int i = 0; i < list->Count; i++) {
    natsMsg *message = list->Msgs[i];
    jsMsgMetaData *meta = NULL;
    require(natsMsg_GetMetaData(&meta, message), "a message has no number");
    printf("%" PRIu64 " %.*s\n", meta->Sequence.Stream, natsMsg_GetDataLength(message), natsMsg_GetData(message));
    jsMsgMetaData_Destroy(meta);
    fflush(stdout);
    /* After it was handled: what is not acknowledged within 30 s comes again. */
    require(natsMsg_Ack(message, NULL), "a message cannot be acknowledged");
  }
  natsMsgList_Destroy(list);
}

int main(void) {
  const char *consumer = setting("STREAM_CONSUMER");
  char seed[128], inbox[128];
  /* Files end with a line end. */
  snprintf(seed, sizeof seed, "%.*s", (int)strcspn(setting("NATS_NKEY_SEED"), "\r\n"), setting("NATS_NKEY_SEED"));
  snprintf(inbox, sizeof inbox, "_INBOX.%s", consumer);

  natsOptions *options = NULL;
  natsConnection *connection = NULL;
  jsCtx *jetstream = NULL;
  natsSubscription *subscription = NULL;
  jsSubOptions from;
  require(natsOptions_Create(&options), "options");
  require(natsOptions_SetURL(options, setting("NATS_URL")), "NATS_URL");
  require(natsOptions_SetNKey(options, setting("NATS_NKEY"), sign, seed), "NATS_NKEY");
  require(natsOptions_SetCustomInboxPrefix(options, inbox), "STREAM_CONSUMER");
  require(natsOptions_SetMaxReconnect(options, -1), "options");
  require(natsConnection_Connect(&connection, options), "NATS");
  require(natsConnection_JetStream(&jetstream, connection, NULL), "JetStream");
  require(jsSubOptions_Init(&from), "options");
  from.Stream = "DEVICE_DATA";
  from.Consumer = consumer;
  require(js_PullSubscribe(&subscription, jetstream, NULL, NULL, NULL, &from, NULL), "STREAM_CONSUMER");
  for (;;) {
    natsMsgList list = {0};
    jsErrCode code = 0;
    natsStatus status = natsSubscription_Fetch(&list, subscription, BATCH, WAIT_MS, &code);
    if (status == NATS_OK) print_all(&list);
    else if (status != NATS_TIMEOUT) nats_Sleep(1000); /* the connection comes back by itself */
  }
}
