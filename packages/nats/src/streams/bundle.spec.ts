import { Buffer } from 'node:buffer'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { BUNDLE, groupsOfBundles, readBundle, writeBundle } from './bundle.js'

const PREFIX = 'work.v1.chunk.send.o.p'
const of = (name: string, bytes = 1) => ({
  message: { subject: `${PREFIX}.${name}`, id: name, body: Buffer.alloc(bytes), headers: {} },
})
const namesOf = (groups: readonly { message: { id: string } }[][]) =>
  groups.map((group) => group.map(({ message }) => message.id))

describe('a bundle', () => {
  it('returns each message as it was written, whatever the others contain', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/)
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom('', '\n', '{"messages":[]}\n').map((text) => Uint8Array.from(Buffer.from(text))),
    )
    const header = fc.option(fc.string({ minLength: 1 }), { nil: undefined })
    const message = fc.record({ name, id: fc.string(), body, header })
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 64 }), (all) => {
        const bundle = writeBundle(
          all.map((one) => ({
            ...{ subject: `${PREFIX}.${one.name}`, id: one.id, body: one.body },
            headers: { Kind: one.header },
          })),
        )
        const read = readBundle(bundle.subject, bundle.body)?.map((one) => ({
          ...{ subject: one.subject, id: one.id, body: [...one.body], kind: one.header('Kind') },
          other: one.header('Other'),
        }))
        expect(read).toEqual(
          all.map((one) => ({
            ...{ subject: `${PREFIX}.${one.name}`, id: one.id, body: [...one.body], kind: one.header },
            other: undefined,
          })),
        )
      }),
    )
  })

  it.each([
    ['no line', '{"messages":[{"name":"a","id":"i","bytes":0,"headers":{}}]}'],
    ['no JSON', '{\n'],
    ['no messages', '{"messages":[]}\n'],
    ['too few bytes', '{"messages":[{"name":"a","id":"i","bytes":2,"headers":{}}]}\nx'],
    ['too many bytes', '{"messages":[{"name":"a","id":"i","bytes":0,"headers":{}}]}\nx'],
    ['a negative length', '{"messages":[{"name":"a","id":"i","bytes":-1,"headers":{}}]}\n'],
    ['no name', '{"messages":[{"name":"","id":"i","bytes":0,"headers":{}}]}\n'],
    ['a header that is no text', '{"messages":[{"name":"a","id":"i","bytes":0,"headers":{"K":1}}]}\n'],
  ])('is none with %s', (_, text) => {
    expect(readBundle(`${PREFIX}.${BUNDLE}`, Buffer.from(text))).toBeUndefined()
  })

  it('is known by its subject, not by its bytes', () => {
    const { subject, body } = writeBundle([of('a').message, of('b').message])
    expect(readBundle(subject, body)).toHaveLength(2)
    expect(readBundle(`${PREFIX}.@bundle`, body)).toHaveLength(2)
    expect(readBundle(`${PREFIX}.a`, body)).toBeUndefined()
  })
})

describe('messages of one turn', () => {
  it('are in one group if their subjects differ in the last part only, and two of one subject are in two', () => {
    const other = {
      message: { subject: 'work.v1.chunk.send.o.q.a', id: 'q', body: Buffer.of(), headers: {} },
    }
    const groups = groupsOfBundles([of('a'), of('b'), other, of('a'), of('c')])
    expect(namesOf(groups)).toEqual([['a', 'b'], ['q'], ['a', 'c']])
  })

  it('are at most 64 in a group, with 128 KiB, and a larger one is alone', () => {
    const many = Array.from({ length: 65 }, (_, number) => of(String(number)))
    expect(groupsOfBundles(many).map(({ length }) => length)).toEqual([64, 1])
    const large = [of('a', 100 * 1024), of('b', 28 * 1024), of('c', 1), of('d', 200 * 1024), of('e')]
    expect(namesOf(groupsOfBundles(large))).toEqual([['a', 'b'], ['c'], ['d'], ['e']])
  })
})
