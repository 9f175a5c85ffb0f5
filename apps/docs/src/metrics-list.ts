import { findMetrics } from './find-metrics.js'
import { code, codes, table } from './markdown.js'

/** Returns the metrics of all services. */
export function metricsList(): string {
  const rows = findMetrics().map(({ name, type, labels, help }) => [code(name), type, codes(labels), help])
  return table(['metric', 'type', 'labels', 'what it is'], rows)
}
