import { generateKeyPairSync } from 'node:crypto'

// Makes an nkey as nsc and nk do (github.com/nats-io/nkeys), without anything having been installed: an Ed25519 key after a
// byte that says what it is of, with a check sum behind it, in base 32.

const USER = 20 << 3
const SEED = 18 << 3
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** @returns the seed, which is secret, and the public key, of a new user of NATS */
export function newNkey() {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return {
    seed: encode([SEED | (USER >> 5), (USER & 31) << 3, ...Buffer.from(d, 'base64url')]),
    publicKey: encode([USER, ...Buffer.from(x, 'base64url')]),
  }
}

function encode(bytes) {
  const sum = crc16(bytes)
  const bits = [...bytes, sum & 255, sum >> 8].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replaceAll(/.{1,5}/g, (five) => ALPHABET[parseInt(five.padEnd(5, '0'), 2)])
}

/** CRC-16/XMODEM. */
function crc16(bytes) {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return crc
}
