import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { CHAIN_START, canonicalJson, entryHash, followChain } from './audit-chain.js'

interface Row {
  id: string
  sequence: number
  previous_hash: string | null
  hash: string
  action: string
  details: Record<string, string>
}

/** A chain of so many rows. */
async function chainOf(length: number): Promise<Row[]> {
  const rows: Row[] = []
  for (let sequence = 1; sequence <= length; sequence++) {
    const row = {
      id: `id-${String(sequence)}`,
      sequence,
      previous_hash: rows.at(-1)?.hash ?? null,
      action: 'project_key.cycled',
      details: { b: 'é', a: '"' },
    }
    rows.push({ ...row, hash: await entryHash(row) })
  }
  return rows
}

const follow = (rows: readonly Row[]) => followChain(CHAIN_START, rows)
const faultOf = async (rows: readonly Row[]) => (await follow(rows)).fault

describe('the chain of an audit log', () => {
  it('is followed to its end, in parts too', async () => {
    const rows = await chainOf(4)
    const whole = { end: { length: 4, hash: rows[3]?.hash }, fault: null }
    expect(await follow(rows)).toEqual(whole)
    const { end } = await follow(rows.slice(0, 3))
    expect(await followChain(end, rows.slice(3))).toEqual(whole)
  })

  it('has a hash that anybody can compute: SHA-256 over canonical JSON (RFC 8785)', async () => {
    const [row] = await chainOf(1)
    const text =
      '{"action":"project_key.cycled","details":{"a":"\\"","b":"é"},"id":"id-1","previous_hash":null,"sequence":1}'
    expect(row?.hash).toBe(createHash('sha256').update(text, 'utf8').digest('hex'))
  })

  it('orders members as RFC 8785 does, whatever JavaScript does', () => {
    expect(
      canonicalJson(JSON.parse('{"9":1,"10":[{"b":1e21,"a":null}],"":true,"\\ud83d\\ude00":0,"\\ufb33":0}')),
    ).toBe('{"":true,"10":[{"a":null,"b":1e+21}],"9":1,"\ud83d\ude00":0,"\ufb33":0}')
  })

  it('is canonical JSON as the reference implementation of RFC 8785 writes it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value))
      }),
    )
  })

  it('reveals a row that was changed, removed, inserted or moved', async () => {
    const rows = await chainOf(5)
    const at = (index: number): Row => {
      const row = rows[index]
      if (!row) throw new Error('the chain has five rows')
      return row
    }
    const changed = { ...at(2), action: 'project_key.created' }
    expect(await faultOf(rows.with(2, changed))).toEqual({ sequence: 3, id: 'id-3', fault: 'changed' })
    expect(await faultOf(rows.toSpliced(2, 1))).toEqual({ sequence: 3, id: null, fault: 'missing' })
    expect(await faultOf(rows.toSpliced(2, 0, at(1)))).toEqual({ sequence: 3, id: null, fault: 'missing' })
    expect(await faultOf(rows.with(1, at(2)).with(2, at(1)))).toEqual({
      sequence: 2,
      id: null,
      fault: 'missing',
    })
    const forged = { ...changed, hash: await entryHash(changed) }
    expect(await faultOf(rows.with(2, forged))).toEqual({ sequence: 4, id: 'id-4', fault: 'unlinked' })
  })

  it('does not depend on the order of members, and survives being written and read', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), async (members) => {
        const reversed = Object.fromEntries(Object.entries(members).reverse())
        const hash = await entryHash(members)
        expect(await entryHash(reversed)).toBe(hash)
        expect(await entryHash(JSON.parse(canonicalJson(members)) as object)).toBe(hash)
      }),
    )
  })
})
