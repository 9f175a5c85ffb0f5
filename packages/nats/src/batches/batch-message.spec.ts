import { Buffer } from 'node:buffer'
import { MAX_BATCH_CALLS } from '@bearing/contracts/operation'
import { parseJson } from '@bearing/contracts/text/parse-json'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readAnswers, readCalls, writeAnswers, writeCalls, type BatchCall } from './batch-message.js'

const HEAD = {
  timeoutMs: 1_000,
  claims: undefined,
  requestId: undefined,
  clientAddress: undefined,
  traceparent: undefined,
}

describe('a message of several calls', () => {
  it.each([
    ['', 'malformed_json'],
    ['{', 'malformed_json'],
    ['{"claims":[],"calls":[{"bytes":0}]}', 'malformed_json'],
    ['{\n', 'malformed_json'],
    ['[]\n', 'invalid_input'],
    ['{"claims":[],"calls":[]}\n', 'invalid_input'],
    ['{"claims":[],"calls":[5]}\n', 'invalid_input'],
    ['{"claims":[],"calls":[{"bytes":-1},{"bytes":3}]}\n{}', 'invalid_input'],
    ['{"claims":[],"calls":[{"bytes":3}]}\n{}', 'invalid_input'],
    ['{"claims":[],"calls":[{"bytes":1}]}\n{}', 'invalid_input'],
    ['{"claims":[5],"calls":[{"bytes":2}]}\n{}', 'invalid_input'],
    [
      `${JSON.stringify({ claims: [], calls: Array(MAX_BATCH_CALLS + 1).fill({ bytes: 0 }) })}\n`,
      'invalid_input',
    ],
  ])('is refused where it is none: %j', (message, code) => {
    expect(() => readCalls(Buffer.from(message))).toThrow(expect.objectContaining({ code }))
  })

  it('brings each call what was written for it, whatever others have sent', () => {
    const sent = fc.oneof(
      fc.json(),
      fc.string(),
      fc.constantFrom('', '\n', '{}\n{}', '{"claims":["c"],"calls":[{"bytes":0}]}\n'),
    )
    const call = fc.record({ sent, claims: fc.option(fc.string({ minLength: 1 }), { nil: undefined }) })
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: MAX_BATCH_CALLS }), (calls) => {
        const written = calls.map(({ sent: text, claims }, index): BatchCall => ({
          ...HEAD,
          claims,
          requestId: `of ${text}`,
          input: { json: Buffer.from(text), over: { index } },
        }))
        const read = readCalls(writeCalls(written))
        expect(read).toHaveLength(calls.length)
        for (const [index, { claims, requestId, read: input }] of read.entries()) {
          expect([claims, requestId]).toEqual([calls[index]?.claims, `of ${calls[index]?.sent ?? ''}`])
          let given: unknown
          try {
            given = input('as_text')
          } catch (error) {
            expect(['malformed_json', 'invalid_input']).toContain((error as { code?: string }).code)
            continue
          }
          expect(given).toEqual({ ...(parseJson(calls[index]?.sent || '{}', 'as_text') as object), index })
        }
      }),
    )
  })

  it('is answered with what was written for each, failures apart', () => {
    const answer = fc.record({
      index: fc.nat(),
      text: fc.string({ unit: 'grapheme' }),
      isFailure: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(answer), (answers) => {
        expect(readAnswers(writeAnswers(answers))).toEqual(answers)
      }),
    )
    expect(() => readAnswers(Buffer.from('{"answers":[[0,3]]}\n{}'))).toThrow()
    expect(() => readAnswers(Buffer.from('{}'))).toThrow()
  })
})
