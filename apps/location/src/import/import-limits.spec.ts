import { forSuite, namedStack } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { v7 } from 'uuid'
import { Callers, append, begin, type Caller } from '../testing/test-caller.js'

const IMPORTS = 3
/** 123 batches of the least size, 8,192 bytes, are more. */
const BYTES = 1_000_000

describe('open imports of an organization', () => {
  const stack = namedStack('small-limits')
  const callers = forSuite(() => Callers.open(stack.natsUrl))

  const codeOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'done',
      (error: unknown) => (error as { code?: string }).code,
    )
  const row = (n: number): [string, number, number, null] => [
    `02:00:00:00:${(n >> 8).toString(16).padStart(2, '0')}:${(n & 255).toString(16).padStart(2, '0')}`,
    48,
    11,
    null,
  ]

  it('are never more than the limit, however many begin at the same moment, and another organization is not affected', async () => {
    const [own, other] = [await callers.newOrganization(), await callers.newOrganization()]
    const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(begin(own, 'positions', v7()))))
    expect(codes.filter((code) => code === 'done')).toHaveLength(IMPORTS)
    expect(codes.filter((code) => code === 'quota_exceeded')).toHaveLength(8 - IMPORTS)
    expect(await codeOf(begin(other, 'positions', v7()))).toBe('done')
  })

  it('can be begun again at the limit if they are open already', async () => {
    const own = await callers.newOrganization()
    const names = Array.from({ length: IMPORTS }, () => v7())
    for (const name of names) await begin(own, 'positions', name)
    expect(await codeOf(begin(own, 'positions', names[0] ?? ''))).toBe('done')
    await expect(begin(own, 'positions', v7())).rejects.toMatchObject({
      code: 'quota_exceeded',
      details: { quota: { resource: 'imports', limit: IMPORTS, raised_by: 'nobody' } },
    })
  })

  it('take no more batches once their bytes reach the limit, however small each batch is', async () => {
    const own: Caller = await callers.newOrganization()
    const { id } = await begin(own, 'positions', v7())
    let stored = 0
    let code: string | undefined = 'done'
    for (; stored < 200; stored++) {
      code = await codeOf(append(own, id, stored, [row(stored)]))
      if (code !== 'done') break
    }
    expect({ stored, code }).toEqual({ stored: Math.ceil(BYTES / 8_192), code: 'quota_exceeded' })
  })

  it('do not limit the base layer, which is the operator’s', async () => {
    for (let n = 0; n <= IMPORTS; n++)
      expect(await codeOf(begin(callers.operator, 'positions', v7()))).toBe('done')
  })
})
