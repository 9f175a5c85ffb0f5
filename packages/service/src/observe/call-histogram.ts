import { Histogram, type Registry } from '@prometheus-io/client'

type Labels = 'operation' | 'outcome'
type Exposed = ReturnType<Histogram<Labels>['get']>

interface Options {
  readonly name: string
  readonly help: string
  /** Upper bounds of the buckets in seconds, ascending. */
  readonly buckets: readonly number[]
  readonly registry: Registry
}

/**
 * A histogram of calls by operation and outcome. The library writes, checks and compares the labels of each observation, which takes a
 * microsecond; this one finds its numbers in two maps. It exposes the same.
 */
export class CallHistogram extends Histogram<Labels> {
  /** By operation and outcome: the calls of each bucket, those beyond all, and the sum of seconds. */
  private readonly counted = new Map<string, Map<string, Float64Array>>()
  private readonly options: Options

  constructor(options: Options) {
    const { name, help, buckets, registry } = options
    super({ name, help, labelNames: ['operation', 'outcome'], buckets: [...buckets], registers: [registry] })
    this.options = options
  }

  /** Counts one call. */
  count(operation: string, outcome: string, seconds: number): void {
    const numbers = this.counted.get(operation)?.get(outcome) ?? this.begin(operation, outcome)
    const { buckets } = this.options
    let bucket = 0
    while (bucket < buckets.length && seconds > (buckets[bucket] ?? 0)) bucket++
    const sum = buckets.length + 1
    numbers[bucket] = (numbers[bucket] ?? 0) + 1
    numbers[sum] = (numbers[sum] ?? 0) + seconds
  }

  /** Is called by the registry in the place of {@link get}. */
  getForPromString(): Exposed {
    return this.get()
  }

  override get(): Exposed {
    const { name, help } = this.options
    const values = [...this.counted].flatMap(([operation, outcomes]) =>
      [...outcomes].flatMap(([outcome, numbers]) => this.valuesOf({ operation, outcome }, numbers)),
    )
    const collect = () => undefined
    return Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', collect, values })
  }

  private begin(operation: string, outcome: string): Float64Array {
    const numbers = new Float64Array(this.options.buckets.length + 2)
    const outcomes = this.counted.get(operation) ?? new Map<string, Float64Array>()
    this.counted.set(operation, outcomes.set(outcome, numbers))
    return numbers
  }

  private valuesOf(labels: Readonly<Record<Labels, string>>, numbers: Float64Array) {
    const { name, buckets } = this.options
    let count = 0
    const counts = [...buckets, '+Inf'].map((le, bucket) => {
      count += numbers[bucket] ?? 0
      return { labels: { le, ...labels }, value: count, metricName: `${name}_bucket` }
    })
    const sum = { labels, value: numbers.at(-1) ?? 0, metricName: `${name}_sum` }
    return [...counts, sum, { labels, value: count, metricName: `${name}_count` }]
  }
}
