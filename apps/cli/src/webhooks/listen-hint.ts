import type { Output } from '../output/output.js'

/** What to do about a receiver that Bearing does not send to. */
export const LISTEN_HINT =
  'Bearing sends to public addresses, and to private ones that its operator allows. A receiver on this machine needs no webhook: "bearing webhooks listen <port>" sends it the events.'

/**
 * Warns of a name that stands for the machine of the program that resolves it (RFC 6761 §6.3). The server accepts it, because
 * it resolves names only when it sends.
 */
export function warnOfLocalName(output: Output, url: string): void {
  if (/(?:^|\.)localhost\.?$/.test(URL.parse(url)?.hostname ?? ''))
    output.notice(`In this URL "localhost" is the machine that Bearing runs on. ${LISTEN_HINT}`)
}
