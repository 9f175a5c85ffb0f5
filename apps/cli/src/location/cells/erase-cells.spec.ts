import { describe, expect, it } from '@jest/globals'
import { fakeGateway } from '../../testing/fake-gateway.js'
import { runCli } from '../../testing/run-cli.js'

async function erasing(cell: string, ...confirm: string[]) {
  const erased: unknown[] = []
  await using gateway = await fakeGateway({
    forgetCell: ({ organization_id: _, ...named }) => {
      erased.push(named)
      return { removed: 1 }
    },
  })
  const environment = { BEARING_URL: gateway.url, BEARING_ORG_TOKEN: 'T', BEARING_ORG: 'acme' }
  return { ...(await runCli(['cells', 'erase', cell, ...confirm], { environment })), erased }
}

describe('bearing cells erase', () => {
  it('names a cell as public files do', async () => {
    const { code, stderr, stdout, erased } = await erasing(
      'LTE, 262,1,7001,25600001',
      '--confirm',
      'LTE, 262,1,7001,25600001',
    )
    expect({ code, erased }).toEqual({
      code: 0,
      erased: [
        {
          ...{ radioType: 'lte', mobileCountryCode: 262, mobileNetworkCode: 1 },
          ...{ locationAreaCode: 7001, cellId: 25600001 },
        },
      ],
    })
    expect(`${stdout}${stderr}`).toContain('1 radio cell removed')
  })

  it.each([[], ['--confirm', 'lte,262,1,7001,25600002']])(
    'asks whether it is meant: %j',
    async (...confirm) => {
      expect(await erasing('lte,262,1,7001,25600001', ...confirm)).toMatchObject({
        code: 2,
        erased: [],
      })
    },
  )

  it.each(['lte,262,1,7001', 'lte,262,1,7001,268435456', 'cdma,262,1,7001,1', 'lte,262,1,7001,1,2', ''])(
    'refuses what is none: %s',
    async (cell) => {
      expect(await erasing(cell, '--confirm', cell)).toMatchObject({ code: 2, erased: [] })
    },
  )
})
