import { UnexpectedReplyError } from './errors.js'

/**
 * Reads a reply of one JSON value on each line.
 *
 * @throws UnexpectedReplyError where a line is none; what `fetch` throws where the reply ends before its end
 */
export async function* readLines(response: Response): AsyncGenerator<unknown, void, undefined> {
  if (!response.headers.get('content-type')?.startsWith('application/x-ndjson')) throw foreign(response)
  let rest = ''
  for await (const text of (response.body ?? emptyBody()).pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield parse(line, response)
  }
  if (rest !== '') throw foreign(response)
}

function emptyBody(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Blob([]).stream()
}

function parse(line: string, response: Response): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw foreign(response)
  }
}

function foreign(response: Response): UnexpectedReplyError {
  return new UnexpectedReplyError(
    response.status,
    'The answer is not one JSON object on each line: a proxy in between, or another server at this address?',
    response.headers.get('x-request-id') ?? undefined,
  )
}
