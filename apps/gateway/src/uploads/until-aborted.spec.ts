import { PassThrough } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { untilAborted } from './until-aborted.js'

const OVER = new Error('it is over')

describe('a stream until a signal', () => {
  it('is all of it where there is no signal', async () => {
    const stream = new PassThrough()
    stream.end('all of it')
    expect(await textOf(untilAborted(stream, new AbortController().signal))).toBe('all of it')
  })

  it('ends while nothing comes, with the reason, and what is left can be read', async () => {
    const stream = new PassThrough()
    const controller = new AbortController()
    const read = textOf(untilAborted<Buffer>(stream.iterator({ destroyOnReturn: false }), controller.signal))
    stream.write('first')
    setImmediate(() => controller.abort(OVER))
    await expect(read).rejects.toBe(OVER)
    // The aborted read may have consumed one piece.
    stream.write('second')
    await new Promise((resolve) => setImmediate(resolve))
    stream.end('third')
    expect(await textOf(stream.iterator({ destroyOnReturn: false }))).toMatch(/third$/)
  })

  it('does not begin after it, and passes on what breaks the stream', async () => {
    await expect(textOf(untilAborted(new PassThrough().end('x'), AbortSignal.abort(OVER)))).rejects.toBe(OVER)
    const stream = new PassThrough()
    const read = textOf(untilAborted(stream, new AbortController().signal))
    stream.destroy(OVER)
    await expect(read).rejects.toBe(OVER)
  })
})

async function textOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const piece of bytes) text += piece.toString()
  return text
}
