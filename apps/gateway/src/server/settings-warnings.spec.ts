import { describe, expect, it } from '@jest/globals'
import { settingsWarnings } from './settings-warnings.js'

describe('the warnings of the gateway at startup', () => {
  it.each([
    ['', [], 1, '', ['PUBLIC_URL', 'TRUSTED_PROXIES']],
    ['', ['10.0.0.1'], 1, '', ['PUBLIC_URL']],
    ['https://bearing.example', [], 1, '', ['TRUSTED_PROXIES']],
    ['https://bearing.example', ['10.0.0.1'], 1, '', []],
    ['http://localhost:8080', [], 1, '', []],
    ['http://localhost:8080', [], 2, '', ['REDIS_URL']],
    ['http://localhost:8080', [], 2, 'redis://redis:6379', []],
  ])(
    'with PUBLIC_URL "%s", TRUSTED_PROXIES %j, %i processes and REDIS_URL "%s" are about %j, and say how to set it',
    (PUBLIC_URL, TRUSTED_PROXIES, GATEWAY_PROCESSES, REDIS_URL, named) => {
      const settings = { PUBLIC_URL, TRUSTED_PROXIES, GATEWAY_PROCESSES, REDIS_URL }
      const warnings = settingsWarnings({ ...settings, TLS_CERT_FILE: '' })
      expect(warnings.map((warning) => warning.split(' ')[0])).toEqual(named)
      for (const warning of warnings) expect(warning).toMatch(/Set it to .*, for example [A-Z_]+=\S+\.$/)
    },
  )

  it('ask for no proxies where the gateway ends TLS itself', () => {
    const settings = { PUBLIC_URL: 'https://bearing.example', TRUSTED_PROXIES: [], GATEWAY_PROCESSES: 1 }
    expect(settingsWarnings({ ...settings, REDIS_URL: '', TLS_CERT_FILE: '/tls/tls.crt' })).toEqual([])
  })
})
