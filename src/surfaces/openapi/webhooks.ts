/** Webhook events by name, each with a summary and the schema of its body. */
export type WebhookEvents = Readonly<Record<string, { summary: string; body: object }>>

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const HEADERS = [
  header('webhook-id', 'The id of the message; the same on every attempt'),
  header('webhook-timestamp', 'When this attempt was sent, in seconds since 1970'),
  header(
    'webhook-signature',
    '"v1," and the base64 of HMAC-SHA256 over "id.timestamp.body"; several are separated by a space',
  ),
]

/** Describes the requests that the server sends to agents' webhooks, as in Standard Webhooks. */
export const webhooksOf = (events: WebhookEvents) =>
  Object.fromEntries(
    Object.entries(events).map(([name, { summary, body }]) => [
      name,
      {
        post: {
          operationId: `events.${name}`,
          summary,
          tags: ['messages'],
          security: [],
          parameters: HEADERS,
          requestBody: { required: true, content: { 'application/json': { schema: body } } },
          responses: {
            '2XX': { description: 'Received; it is not sent again' },
            '4XX': { description: 'Like any other response: it is sent again and can be polled' },
          },
        },
      },
    ]),
  )
