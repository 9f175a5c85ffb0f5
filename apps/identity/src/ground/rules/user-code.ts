import { USER_CODE_LENGTH, USER_CODE_LETTERS } from '@bearing/contracts/identity/people/login'

/** Bytes from here on are skipped, because the letters do not divide 256: all letters are equally likely. */
const USABLE_BYTES = 256 - (256 % USER_CODE_LETTERS.length)

/** Returns a random user code. @param randomBytes returns random bytes */
export function newUserCode(randomBytes: (length: number) => Uint8Array): string {
  let code = ''
  while (code.length < USER_CODE_LENGTH)
    for (const byte of randomBytes(USER_CODE_LENGTH))
      if (byte < USABLE_BYTES && code.length < USER_CODE_LENGTH)
        code += USER_CODE_LETTERS.charAt(byte % USER_CODE_LETTERS.length)
  return code
}
