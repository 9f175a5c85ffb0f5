/** A message that is stored before it is acknowledged. */
export interface StoredMessage {
  readonly subject: string
  /** Within two minutes a message with the same id is not stored again. */
  readonly id: string
  readonly body: Uint8Array
  /** Values without line ends. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** W3C trace context of the request that stores it. */
  readonly traceparent?: string | undefined
}
