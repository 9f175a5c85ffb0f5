import { describe, expect, it } from '@jest/globals'
import { playGateway } from '../specs/play-gateway.js'
import { runCli } from '../specs/run-cli.js'

async function forgetting(cell: string, ...confirm: string[]) {
  const forgotten: unknown[] = []
  await using gateway = await playGateway({
    forgetCell: ({ organization_id: _, ...named }) => {
      forgotten.push(named)
      return { removed: 1 }
    },
  })
  const environment = { BEARING_URL: gateway.url, BEARING_ORG_TOKEN: 'T', BEARING_ORG: 'acme' }
  return { ...(await runCli(['cells', 'forget', cell, ...confirm], { environment })), forgotten }
}

describe('bearing cells forget', () => {
  it('names a cell as public files do', async () => {
    const { code, stderr, stdout, forgotten } = await forgetting(
      'LTE, 262,1,7001,25600001',
      '--confirm',
      'LTE, 262,1,7001,25600001',
    )
    expect({ code, forgotten }).toEqual({
      code: 0,
      forgotten: [
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
      expect(await forgetting('lte,262,1,7001,25600001', ...confirm)).toMatchObject({
        code: 2,
        forgotten: [],
      })
    },
  )

  it.each(['lte,262,1,7001', 'lte,262,1,7001,268435456', 'cdma,262,1,7001,1', 'lte,262,1,7001,1,2', ''])(
    'refuses what is none: %s',
    async (cell) => {
      expect(await forgetting(cell, '--confirm', cell)).toMatchObject({ code: 2, forgotten: [] })
    },
  )
})
