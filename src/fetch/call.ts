import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type ApiRequest, type CallApi, FetchError } from '../kernel/services.ts'
import { checkedAddress, toFetchError, tooSlow } from './post.ts'
import { fixedLookup, type HostAddress, type HostOptions } from './resolve-host.ts'

/**
 * Calls the API of a server that a user entered. Its host is resolved and checked for each request,
 * and the connection goes to the checked IP address. Redirects are not followed.
 */
export const guardedCall =
  (options: HostOptions): CallApi =>
  async (input, request) => {
    const { url, address } = await checkedAddress(input, options, request.signal)
    const response = await send(url, address, request)
    const text = await readText(response, request)
    return { status: response.statusCode ?? 0, headers: response.headers, text }
  }

function send(url: URL, address: HostAddress, { method, headers, body, signal }: ApiRequest) {
  const startRequest = url.protocol === 'https:' ? httpsRequest : httpRequest
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = startRequest(
      url,
      {
        ...{ method, signal, lookup: fixedLookup(address) },
        // A new connection, because a pooled one may lead to another address.
        agent: false,
        headers: {
          'accept-encoding': 'identity',
          'user-agent': 'Corkboard',
          ...length,
          ...headers,
        },
      },
      resolve,
    )
    request.on('error', (error) => reject(signal.aborted ? tooSlow() : toFetchError(url, error)))
    request.end(body)
  })
}

async function readText(response: IncomingMessage, { bytes, signal }: ApiRequest): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      size += chunk.length
      if (size > bytes) throw new FetchError('too_long', `Its answer is larger than ${bytes} bytes`)
      chunks.push(chunk as Buffer)
    }
  } catch (error) {
    if (error instanceof FetchError) throw error
    throw signal.aborted ? tooSlow() : cutOff()
  } finally {
    response.destroy()
  }
  // A truncated response ends without an error here.
  if (signal.aborted) throw tooSlow()
  if (!response.complete) throw cutOff()
  return Buffer.concat(chunks).toString()
}

const cutOff = () => new FetchError('invalid_format', 'Its answer was cut off', 'Try again')
