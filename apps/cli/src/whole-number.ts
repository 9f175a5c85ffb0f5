import { InvalidArgumentError } from 'commander'

/** Returns a parser of whole numbers from `least` to `most`. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= least && number <= most) return number
    throw new InvalidArgumentError(`Use a whole number from ${String(least)} to ${String(most)}.`)
  }
}
