import type { ChartSettings, Schema } from './chart-settings.js'
import { SERVICE_NAMES, type ServiceName } from '../settings-of-environment.js'
import { withDefaultsRequired, withDescriptions, type ValuesFile } from './values-file.js'

/** An object with these properties and no others: a mistyped value is refused and not ignored. */
const only = (properties: Readonly<Record<string, Schema>>, more: Schema = {}): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...more,
})
const text = (pattern?: string): Schema => ({ type: 'string', ...(pattern !== undefined && { pattern }) })
const yesOrNo: Schema = { type: 'boolean' }
const count = (minimum: number, maximum = 1000): Schema => ({ type: 'integer', minimum, maximum })
const portNumber = count(1, 65_535)
const texts: Schema = { type: 'object', additionalProperties: { type: 'string' } }
/** Selectors need their own labels as they are. */
const labels: Schema = { ...texts, propertyNames: { not: { pattern: '^app[.]kubernetes[.]io/' } } }
/** Parts of Kubernetes objects, which the API server checks. */
const object: Schema = { type: 'object' }
const objects: Schema = { type: 'array', items: object }
const either = (names: readonly string[]): Schema => ({ type: 'string', enum: names })
const reference = only({ name: text('.'), key: text('.') }, { required: ['name', 'key'] })
const references = (names: readonly string[]): Schema =>
  only(Object.fromEntries(names.map((name) => [name, reference])))
const reachable = only({ to: objects, port: portNumber })

const pod = {
  serviceAccount: only({ annotations: texts }),
  resources: object,
  podLabels: labels,
  podAnnotations: texts,
  nodeSelector: texts,
  tolerations: objects,
  affinity: object,
  priorityClassName: text(),
  extraEnv: {
    type: 'object',
    propertyNames: { pattern: '^(NODE|AWS|OTEL)_[A-Z0-9_]+$' },
    additionalProperties: { type: 'string' },
  },
  volumes: objects,
  volumeMounts: objects,
  initContainers: objects,
  sidecars: objects,
  extraEgress: objects,
}

const scaling = { enabled: yesOrNo, minReplicas: count(1), maxReplicas: count(1) }
const byProcessor = only({ ...scaling, targetCPU: text('^([1-9][0-9]*m|[0-9]+([.][0-9]+)?)$') })
const AUTOSCALING: Partial<Record<ServiceName, Schema>> = {
  gateway: byProcessor,
  location: byProcessor,
  management: only({
    ...scaling,
    targetQueueAgeSeconds: count(1, 86_400),
    prometheusAddress: text('^(https?://.+)?$'),
  }),
}

const schemasOf = ({ plain }: ChartSettings): Record<string, Schema> =>
  Object.fromEntries(Object.entries(plain).map(([name, { schema }]) => [name, schema]))

function service(name: ServiceName, settings: ChartSettings): Schema {
  const optional = settings.secret.filter((secret) => !settings.required.includes(secret))
  const autoscaling = AUTOSCALING[name]
  return only({
    replicas: count(1),
    ...(autoscaling && { autoscaling }),
    settings: only(schemasOf(settings)),
    secret: only({
      name: text('.'),
      optionalKeys: { type: 'array', items: either(optional), uniqueItems: true },
      references: references(settings.secret),
    }),
    ...pod,
    topologySpreadConstraints: objects,
  })
}

/** Settings that several services have. */
function shared(settings: Readonly<Record<ServiceName, ChartSettings>>): Schema {
  const all = SERVICE_NAMES.flatMap((name) => Object.entries(schemasOf(settings[name])))
  const times = (name: string) => all.filter(([other]) => other === name).length
  return only(Object.fromEntries(all.filter(([name]) => times(name) > 1)))
}

/** Objects around the processes. */
const OUTSIDE: Readonly<Record<string, Schema>> = {
  service: only({
    type: either(['ClusterIP', 'NodePort', 'LoadBalancer']),
    port: portNumber,
    nodePort: count(0, 65_535),
    loadBalancerClass: text(),
    externalTrafficPolicy: either(['', 'Cluster', 'Local']),
    loadBalancerSourceRanges: { type: 'array', items: text('/') },
    annotations: texts,
  }),
  httpRoute: only({
    enabled: yesOrNo,
    parentRefs: objects,
    hostnames: { type: 'array', items: text('.') },
    timeouts: only({ request: text('.'), backendRequest: text('.') }),
    annotations: texts,
  }),
  ingress: only({
    enabled: yesOrNo,
    className: text(),
    host: text(),
    tlsSecretName: text(),
    annotations: texts,
  }),
  networkPolicy: only({
    enabled: yesOrNo,
    gatewayFrom: objects,
    metricsFrom: objects,
    dns: reachable,
    nats: reachable,
    postgres: reachable,
    redis: reachable,
    collector: reachable,
    internet: only({ enabled: yesOrNo, except: { type: 'array', items: text('/') } }),
  }),
  podDisruptionBudget: only({
    maxUnavailable: { oneOf: [count(1), text('^[1-9][0-9]?%$')] },
  }),
  serviceMonitor: only({ enabled: yesOrNo, interval: text('^[0-9]+(s|m)$'), labels }),
  prometheusRule: only({ enabled: yesOrNo, labels }),
  dashboards: only({ enabled: yesOrNo, labels, annotations: texts }),
}

/** The schema of the chart's values, as values.schema.json, with the descriptions of values.yaml. */
export function valuesSchema(
  settings: Readonly<Record<ServiceName, ChartSettings>>,
  values: ValuesFile,
): string {
  const images = [...SERVICE_NAMES, 'one', 'migrate', 'cli']
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Values of the Bearing chart',
    ...only({
      // Helm adds it where the chart is part of another.
      global: object,
      image: only({
        registry: text('^[^@\\s]*$'),
        // The image of `latest` changes, and the migration would not run again.
        tag: { ...text('^[A-Za-z0-9._-]*$'), not: { const: 'latest' } },
        digests: only(Object.fromEntries(images.map((name) => [name, text('^sha256:[0-9a-f]{64}$')]))),
        pullPolicy: either(['Always', 'IfNotPresent', 'Never']),
      }),
      imagePullSecrets: { type: 'array', items: only({ name: text('.') }) },
      nameOverride: { ...text('^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$'), maxLength: 20 },
      fullnameOverride: { ...text('^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$'), maxLength: 40 },
      podSecurityContext: object,
      securityContext: object,
      hostAliases: objects,
      dnsConfig: object,
      extraObjects: objects,
      commonLabels: labels,
      commonAnnotations: texts,
      // A user and password belong into a Secret.
      nats: only({ url: text('^[^@]*$') }),
      redis: only({ enabled: yesOrNo, acceptLimitsPerProcess: yesOrNo }),
      settings: shared(settings),
      ...Object.fromEntries(SERVICE_NAMES.map((name) => [name, service(name, settings[name])])),
      one: only({ enabled: yesOrNo, ...pod, topologySpreadConstraints: objects }),
      migration: only({
        enabled: yesOrNo,
        secret: only({ name: text('.'), references: references(['DATABASE_URL']) }),
        annotations: texts,
        ...pod,
      }),
      cli: only({
        secret: only({
          name: text('.'),
          references: references(['BEARING_NATS_NKEY_SEED', 'BEARING_NATS_URL']),
        }),
        ...pod,
      }),
      ...OUTSIDE,
    }),
  }
  return `${JSON.stringify(withDescriptions(withDefaultsRequired(schema, values.defaults), values), undefined, 2)}\n`
}
