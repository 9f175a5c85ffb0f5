import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readSettingsOfEnvironment, settingNames, type SettingNames } from './settings-of-environment.js'

const NAMES: SettingNames = {
  identity: ['NATS_URL', 'LOG_LEVEL', 'PUBLIC_URL', 'SMTP_URL', 'IDENTITY_DATABASE_URL'],
  management: ['NATS_URL', 'LOG_LEVEL', 'S3_BUCKET'],
  location: ['NATS_URL', 'LOG_LEVEL'],
  gateway: ['NATS_URL', 'LOG_LEVEL', 'PUBLIC_URL', 'TRUSTED_PROXIES', 'HOST', 'PORT'],
}

describe('the settings that start takes from its environment', () => {
  it('go to every service that has them and to no other', () => {
    const environment = { LOG_LEVEL: 'debug', PUBLIC_URL: 'https://b.example', TRUSTED_PROXIES: '127.0.0.1' }
    const { values, taken } = readSettingsOfEnvironment(NAMES, environment)
    expect(values).toEqual({
      identity: { LOG_LEVEL: 'debug', PUBLIC_URL: 'https://b.example' },
      management: { LOG_LEVEL: 'debug' },
      location: { LOG_LEVEL: 'debug' },
      gateway: environment,
    })
    expect(taken).toEqual(['LOG_LEVEL', 'PUBLIC_URL', 'TRUSTED_PROXIES'])
  })

  it('are named without their values, and variables that are no setting are left out', () => {
    const environment = { SMTP_URL: 'smtps://ada:secret@mail.example', PATH: '/bin', AWS_SECRET: 'secret' }
    const { values, taken, ignored } = readSettingsOfEnvironment(NAMES, environment)
    expect({ taken, ignored }).toEqual({ taken: ['SMTP_URL'], ignored: [] })
    expect(values).toMatchObject({ identity: { SMTP_URL: environment.SMTP_URL }, gateway: {} })
  })

  it('include empty ones, which select the default of the service', () => {
    const { values, taken } = readSettingsOfEnvironment(NAMES, { PUBLIC_URL: '' })
    expect(values.gateway).toEqual({ PUBLIC_URL: '' })
    expect(taken).toEqual(['PUBLIC_URL'])
  })

  it('leave out those that start decides, and report all of these except NATS_URL, which start reads itself', () => {
    const environment = { HOST: '0.0.0.0', PORT: '80', IDENTITY_DATABASE_URL: 'postgres://x', NATS_URL: 'x' }
    const { values, taken, ignored } = readSettingsOfEnvironment(NAMES, environment)
    expect(values).toEqual({ identity: {}, management: {}, location: {}, gateway: {} })
    expect({ taken, ignored }).toEqual({ taken: [], ignored: ['HOST', 'IDENTITY_DATABASE_URL', 'PORT'] })
  })

  it('are all settings in the schemas of the services', async () => {
    const names = await settingNames(join(import.meta.dirname, '..', '..', '..'))
    expect(names.gateway).toContain('TRUSTED_PROXIES')
    expect(names.identity).toContain('SESSION_IDLE_S')
    expect(names.management).toContain('S3_BUCKET')
    expect(names.location).toContain('LOCATION_READ_URL')
  })
})
