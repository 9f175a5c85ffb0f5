const PREFIX = '[mail] '
/** First line of each mail. */
const FIRST = /^\[mail\] to (?<to>\S+): /

/** Prints the mails that identity writes to its output instead of sending them. */
export class MailLines {
  private readonly skipped: string[] = []
  private isSkipping = false

  constructor(private readonly say: (line: string) => void) {}

  /** Leaves out the next mail to an address: it is about what this program does itself. */
  skipNext(to: string): void {
    this.skipped.push(to)
  }

  /**
   * Prints a line if it belongs to a mail.
   *
   * @returns whether it does
   */
  take(line: string): boolean {
    if (!line.startsWith(PREFIX)) return false
    const to = FIRST.exec(line)?.groups?.['to']
    if (to !== undefined) {
      const index = this.skipped.indexOf(to)
      this.isSkipping = index >= 0
      if (this.isSkipping) this.skipped.splice(index, 1)
    }
    if (!this.isSkipping) this.say(line)
    return true
  }
}
