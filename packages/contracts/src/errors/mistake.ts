/** One mistake in an input: where (JSON pointer, RFC 6901, into the input) and what is wrong. */
export interface Mistake {
  readonly pointer: string
  readonly detail: string
}
