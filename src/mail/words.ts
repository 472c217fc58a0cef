import { Unsent } from '../kernel/outside.ts'

/** What nodemailer tells of a failure. */
interface Failure {
  message: string
  code?: string
  command?: string
  response?: string
  responseCode?: number
}

const MOST = 300

const WORDS: Record<string, string> = {
  ECONNREFUSED: 'Nothing listens there',
  ETIMEDOUT: 'It took too long to answer',
  ABORT_ERR: 'It took too long to answer',
  EABORTED: 'It took too long to answer',
  EDNS: 'Nobody knows that host',
  ENOTFOUND: 'Nobody knows that host',
}

export function unsent(host: string, error: unknown): Unsent {
  const { code = '', message, response, ...failure } = error as Failure
  // What broke a connection is said in the text alone.
  const [cause = ''] = /\b(ECONNREFUSED|ETIMEDOUT|ENOTFOUND)\b/.exec(message) ?? []
  const said = plain(response ?? message)
  if (code === 'EAUTH')
    return new Unsent(`${host} does not take the user and password of CORK_SMTP_URL: ${said}`)
  const isRefused = isNobody({ ...failure, response: said })
  if (code === 'ETLS' && response)
    return new Unsent(`${host} offers no STARTTLS, without which nothing is sent to it: ${said}`)
  if (response) return new Unsent(`${host} refused: ${said}`, isRefused)
  return new Unsent(`${host} cannot be used: ${WORDS[cause] ?? WORDS[code] ?? said}`)
}

/**
 * The recipient is unknown there, or gone. A policy (5.7.x), such as that this server may not send
 * to others, says nothing about who is at fault.
 */
const isNobody = ({ command = '', responseCode = 0, response = '' }: Omit<Failure, 'message'>) =>
  command.startsWith('RCPT') &&
  responseCode >= 550 &&
  responseCode < 554 &&
  !/\b5\.7\.\d/.test(response)

/** One line of what somebody else wrote, and not too long a one. */
const plain = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MOST)
    .toWellFormed()
