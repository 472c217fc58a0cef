import { MailError } from '../kernel/services.ts'

/** An error of nodemailer. */
interface Failure {
  message: string
  code?: string
  command?: string
  response?: string
  responseCode?: number
}

const MAX_LENGTH = 300

const CAUSES: Record<string, string> = {
  ECONNREFUSED: 'Connection refused',
  ETIMEDOUT: 'It took too long to respond',
  ABORT_ERR: 'It took too long to respond',
  EABORTED: 'It took too long to respond',
  EDNS: 'Unknown host',
  ENOTFOUND: 'Unknown host',
}

export function toMailError(host: string, error: unknown): MailError {
  const { code = '', message, response, ...failure } = error as Failure
  // The cause of a broken connection is only in the message.
  const [cause = ''] = /\b(ECONNREFUSED|ETIMEDOUT|ENOTFOUND)\b/.exec(message) ?? []
  const serverText = shortLine(response ?? message)
  if (code === 'EAUTH')
    return new MailError(`${host} rejected the user and password of CORK_SMTP_URL: ${serverText}`)
  const isPermanent = isUnknownRecipient({ ...failure, response: serverText })
  if (code === 'ETLS' && response)
    return new MailError(`${host} does not offer STARTTLS, which is required: ${serverText}`)
  if (response) return new MailError(`${host} refused: ${serverText}`, isPermanent)
  return new MailError(`${host} cannot be used: ${CAUSES[cause] ?? CAUSES[code] ?? serverText}`)
}

/**
 * Whether the recipient is unknown. A policy error (5.7.x), such as that this server may not relay,
 * says nothing about the recipient.
 */
const isUnknownRecipient = ({
  command = '',
  responseCode = 0,
  response = '',
}: Omit<Failure, 'message'>) =>
  command.startsWith('RCPT') &&
  responseCode >= 550 &&
  responseCode < 554 &&
  !/\b5\.7\.\d/.test(response)

/** The text as one line of limited length. */
const shortLine = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_LENGTH)
    .toWellFormed()
