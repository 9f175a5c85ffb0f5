/** The bucket that files are kept in. */
export const BUCKET = 'files'

/** Its stream, as the convention for object stores names it (ADR-20). */
export const OBJECT_STORE = `OBJ_${BUCKET}`

export const objectSubject = {
  /** Of its parts. */
  chunks: (object: string) => `$O.${BUCKET}.C.${object}`,
  /** Of what is known of it, by its name in base64url. */
  about: (encodedName: string) => `$O.${BUCKET}.M.${encodedName}`,
}
