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
  ECONNREFUSED: 'Nothing listens there',
  ETIMEDOUT: 'It took too long to answer',
  ABORT_ERR: 'It took too long to answer',
  EABORTED: 'It took too long to answer',
  EDNS: 'Nobody knows that host',
  ENOTFOUND: 'Nobody knows that host',
}

export function toMailError(host: string, error: unknown): MailError {
  const { code = '', message, response, ...failure } = error as Failure
  // The cause of a broken connection is only in the message.
  const [cause = ''] = /\b(ECONNREFUSED|ETIMEDOUT|ENOTFOUND)\b/.exec(message) ?? []
  const serverText = shortLine(response ?? message)
  if (code === 'EAUTH')
    return new MailError(
      `${host} does not take the user and password of CORK_SMTP_URL: ${serverText}`,
    )
  const isPermanent = isUnknownRecipient({ ...failure, response: serverText })
  if (code === 'ETLS' && response)
    return new MailError(
      `${host} offers no STARTTLS, without which nothing is sent to it: ${serverText}`,
    )
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
