import { loadavg } from 'node:os'

const began = performance.now()

/** Prints a line with the minutes since the start, and how busy the machine is: figures of a busy one say little. */
export function say(text: string): void {
  const minutes = (performance.now() - began) / 60_000
  process.stdout.write(`[${minutes.toFixed(1)} min, load ${(loadavg()[0] ?? 0).toFixed(0)}] ${text}\n`)
}

export function seconds(beganMs: number): number {
  return (performance.now() - beganMs) / 1_000
}
