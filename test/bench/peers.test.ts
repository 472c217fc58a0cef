import { expect, test } from 'bun:test'
import { ChunkedBody } from '../../scripts/bench/chunked-body.ts'
import { installed, noteOf, ofPeer } from '../../scripts/bench/peers/peer.ts'

test('a chunked body ends with its last byte, wherever it is split', () => {
  // The first chunk contains what looks like the last one.
  const text = Buffer.from('9\r\n01\r\n0\r\n\r\n\r\n1;name=value\r\nx\r\n0\r\nTrailer: 1\r\n\r\n')
  for (let split = 0; split < text.byteLength; split++) {
    const body = new ChunkedBody()
    expect(body.read(text.subarray(0, split))).toBe(false)
    expect(body.read(text.subarray(split))).toBe(true)
  }
  const body = new ChunkedBody()
  const ends = [...text].map((byte) => body.read(Buffer.from([byte])))
  expect(ends.indexOf(true)).toBe(text.byteLength - 1)
})

test('a chunk without a size is refused', () => {
  expect(() => new ChunkedBody().read(Buffer.from('oh\r\n'))).toThrow('"oh" is not the size')
})

test('a peer that is not installed is named by its setting, which may name a path', () => {
  expect(() => installed('CORK_BENCH_NONE', 'no-such-program')).toThrow('CORK_BENCH_NONE')
  process.env.CORK_BENCH_NONE = '/opt/peer'
  expect(installed('CORK_BENCH_NONE')).toBe('/opt/peer')
  delete process.env.CORK_BENCH_NONE
})

test('a failure of a peer becomes a note of one line, and another error ends the bench', async () => {
  const response = 'HTTP/1.1 500 Oh\r\nContent-Length: 9\r\n\r\n{"a|b":\n1}'
  const failed = ofPeer(Promise.reject(new Error(`Unexpected response: ${response}`)))
  expect(await failed.catch(noteOf)).toEqual({
    note: 'Unexpected response: HTTP/1.1 500 Oh {"a b": 1}',
  })
  expect(() => noteOf(new Error('Corkboard failed'))).toThrow('Corkboard failed')
})
