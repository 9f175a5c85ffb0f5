import { describe, expect, it } from '@jest/globals'
import { settingsWarnings } from './settings-warnings.js'

describe('the warnings of the gateway at startup', () => {
  it.each([
    ['', [], ['PUBLIC_URL', 'TRUSTED_PROXIES']],
    ['', ['10.0.0.1'], ['PUBLIC_URL']],
    ['https://bearing.example', [], ['TRUSTED_PROXIES']],
    ['https://bearing.example', ['10.0.0.1'], []],
    ['http://localhost:8080', [], []],
  ])(
    'with PUBLIC_URL "%s" and TRUSTED_PROXIES %j are about %j, and say how to set it',
    (url, proxies, named) => {
      const warnings = settingsWarnings({ PUBLIC_URL: url, TRUSTED_PROXIES: proxies })
      expect(warnings.map((warning) => warning.split(' ')[0])).toEqual(named)
      for (const warning of warnings) expect(warning).toMatch(/Set it to .*, for example [A-Z_]+=\S+\.$/)
    },
  )
})
