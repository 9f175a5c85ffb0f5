import { environmentOfOne } from '@bearing/local/one-process'
import { expect, it } from '@jest/globals'
import { environmentOf } from './environment-of.js'

it('a variable with the prefix of a part counts for that part alone, before the common one', () => {
  const environment = { LOG_LEVEL: 'info', IDENTITY__LOG_LEVEL: 'debug', LOCATION__NATS_NKEY_SEED: 'SU' }
  expect(environmentOf('identity', environment)).toMatchObject({ LOG_LEVEL: 'debug' })
  expect(environmentOf('location', environment)).toMatchObject({ LOG_LEVEL: 'info', NATS_NKEY_SEED: 'SU' })
  expect(environmentOf('gateway', environment)).not.toHaveProperty('NATS_NKEY_SEED')
})

it.each([
  [undefined, ['9090', '9091', '9092', '9093']],
  ['', ['9090', '9091', '9092', '9093']],
  ['7000', ['7000', '7001', '7002', '7003']],
])('the health ports of all parts follow that of the gateway, %s', (first, ports) => {
  const portOf = (part: Parameters<typeof environmentOf>[0]) =>
    environmentOf(part, { HEALTH_PORT: first })['HEALTH_PORT']
  expect((['gateway', 'identity', 'management', 'location'] as const).map(portOf)).toEqual(ports)
})

it('reads what the programs that start one process write', () => {
  const written = environmentOfOne([
    ['gateway', { PORT: '8080' }],
    ['identity', { NATS_NKEY_SEED: 'SU' }],
  ])
  expect(environmentOf('identity', written)).toMatchObject({ NATS_NKEY_SEED: 'SU' })
  expect(environmentOf('gateway', written)).toMatchObject({ PORT: '8080' })
})
