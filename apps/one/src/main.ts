import { CONFIG as GATEWAY, CONSTANTS as GATEWAY_CONSTANTS } from '@bearing/gateway/config'
import { runGateway } from '@bearing/gateway/run-gateway'
import { CONFIG as IDENTITY, CONSTANTS as IDENTITY_CONSTANTS } from '@bearing/identity/config'
import { runIdentity } from '@bearing/identity/run-identity'
import { CONFIG as LOCATION, CONSTANTS as LOCATION_CONSTANTS } from '@bearing/location/config'
import { runLocation } from '@bearing/location/run-location'
import { CONFIG as MANAGEMENT, CONSTANTS as MANAGEMENT_CONSTANTS } from '@bearing/management/config'
import { runManagement } from '@bearing/management/run-management'
import type { Health } from '@bearing/service/observe/health'
import { SettingsError, readSettings } from '@bearing/service/ground/settings'
import { start } from '@bearing/service/run/start'
import { traceAs } from '@bearing/service/observe/tracing'
import { environmentOf } from './environment-of.js'

/** Runs the gateway and the three services in one process, until SIGTERM. They still talk over NATS, each as its own user. */
start(async () => {
  traceAs('bearing-one')
  const gateway = readSettings(GATEWAY, environmentOf('gateway', process.env), GATEWAY_CONSTANTS)
  if (gateway.GATEWAY_PROCESSES > 1)
    throw new SettingsError('GATEWAY_PROCESSES must be 1 where everything is one process.')
  const services = {
    identity: runIdentity(readSettings(IDENTITY, environmentOf('identity', process.env), IDENTITY_CONSTANTS)),
    management: runManagement(
      readSettings(MANAGEMENT, environmentOf('management', process.env), MANAGEMENT_CONSTANTS),
    ),
    location: runLocation(readSettings(LOCATION, environmentOf('location', process.env), LOCATION_CONSTANTS)),
  }
  // Last, so that it is stopped first: what it has accepted is still answered.
  const running = runGateway(gateway, { needs: Object.entries(services).map(needed) })
  await Promise.all([...Object.values(services), running])
})

/** Until a service is ready, the gateway is not: `/readyz` at its port says so for the whole process. */
function needed([name, running]: [string, Promise<Health>]) {
  return { name, check: async () => (await running).requireReady() }
}
