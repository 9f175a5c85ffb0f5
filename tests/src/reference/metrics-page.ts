import { findMetrics } from './find-metrics.js'
import { code, codes, GENERATED, table } from './markdown.js'

/** Returns the page of metrics. */
export function metricsPage(): string {
  const rows = findMetrics().map(({ name, type, labels, help }) => [code(name), type, codes(labels), help])
  return `# Metrics

${GENERATED}

Every process serves these at \`/metrics\` of its \`HEALTH_PORT\`, in the format of Prometheus, beside those of Node (\`nodejs_…\`, \`process_…\`); a process without a database, a cache or a queue has no metrics of it. No label is an organization, a project, a device or an address. A histogram has the series \`_bucket\`, \`_sum\` and \`_count\`.

What the values of labels mean, queues, objectives and alerts: [operate](monitoring.md#metrics).

${table(['metric', 'type', 'labels', 'what it is'], rows)}
`
}
