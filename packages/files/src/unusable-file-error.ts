/** The file cannot be read: it is damaged, or in another format. The message is a sentence for people. */
export class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError'
}
