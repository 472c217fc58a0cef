import type { Failure } from './report.ts'

/** Failures that are meant so. */
interface Deviation {
  reason: string
  check: string
  /** The code of the field in the refusal. */
  code?: readonly string[]
  /** What the refusal says. */
  messages?: readonly RegExp[]
  /** What Schemathesis says. */
  finding?: RegExp
}

const REJECTED = 'positive_data_acceptance'

export const DEVIATIONS: readonly Deviation[] = [
  {
    reason: 'This server has no model. 503 says so, and what its operator can set.',
    check: 'not_a_server_error',
    messages: [/^No model is set on this server/],
  },
  {
    reason: 'This server has no model, and whoever chats needs one.',
    check: REJECTED,
    messages: [/^No model is set on this server/],
  },
  {
    reason: 'A reference must name something that the caller can see; a schema cannot know what.',
    check: REJECTED,
    code: ['not_found'],
  },
  {
    reason: 'Two fields contradict each other or what is stored. The fields are documented alone.',
    check: REJECTED,
    code: ['conflict', 'ambiguous'],
  },
  {
    reason: 'Only the server makes these values, and they are opaque to clients.',
    check: REJECTED,
    messages: [
      /^cursor is not one that a list gave/,
      /^history_key is not one that sessions gave/,
      /^history_key was given for another board/,
    ],
  },
  {
    reason: 'One of several fields is needed; the refusal names them.',
    check: REJECTED,
    messages: [
      /^Name (the (source |target )?(task|tasks|page)|whose inbox|one inbox)\b/,
      /unique_index needs (source_|target_)?project_id beside it/,
      /needs exactly one of data and url/,
      /^Nothing was (given|named) to/,
      /^Say who: user_id/,
      /must name one: a person by user_id or an agent by agent_id/,
      /^A skill needs a name, or the file as markdown/,
      /^(project_id|title) is required\b/,
      /^composition groups the notifications of one board/,
      /^Evidence of the kind \w+ needs/,
    ],
  },
  {
    reason: 'A field means something only beside another one.',
    check: REJECTED,
    messages: [
      /is of a lease, and none is asked for/,
      /^state is told of one pull request/,
      /^dry_run shows what natural makes of a title/,
      /^(canvas|mode) says something of content/,
      /^A canvas is a document of HTML/,
      /^A skill with a project_id has scope project/,
      /cannot stand beside markdown/,
      /lies (before|after)/,
      /^These are \d+ days, and \d+ are the most/,
      /^That is \d+ days, and at most/,
    ],
  },
  {
    reason: 'What is allowed depends on what is stored, or on the clock.',
    check: REJECTED,
    messages: [
      /^url is required, as this agent has no webhook yet/,
      /^No default board is set/,
      /^selected_option must be exactly one of the options/,
      /^Nobody else answers for this task/,
      /^expires_at lies in the past/,
      /^until has passed already/,
      /^date lies more than a day ahead/,
      /is no way to sort these tasks/,
      /is no (custom )?field of these tasks/,
      /has no agent assigned/,
    ],
  },
  {
    reason: 'Text of blanks and control characters only. Which those are follows Unicode.',
    check: REJECTED,
    messages: [
      /\b(title|name|text|query|question|reason|summary|description) (must not be empty|holds nothing)/,
    ],
  },
  {
    reason:
      'A rule that JSON Schema has no word for: emoji, time zones, base64, addresses, events.',
    check: REJECTED,
    messages: [
      /^emoji must be one emoji and nothing else/,
      /^time_zone is not the name of a time zone/,
      /^avatar must be the https address of a picture/,
      /is not base64/,
      /^url(s\.\d+)? is not the http or https address/,
      /^Skills are imported from /,
      /^There is no event /,
      /^options holds .* twice/,
      /a priority is one of/,
      /^priority must be one of/,
      /^(user_id|project_id) is not a number/,
      /It is no (http or )?https address/,
      /^member_identifier must be a user_id or an e-mail address/,
    ],
  },
  {
    reason: 'Lengths count UTF-16 units, as in browsers; JSON Schema counts code points.',
    check: REJECTED,
    code: ['too_long'],
  },
  {
    reason: 'Every request may carry headers that nobody documented.',
    check: 'negative_data_rejection',
    finding: /in header - object with unexpected properties/,
  },
  {
    reason: 'A malformed updated_since is dropped, and a warning says so.',
    check: 'negative_data_rejection',
    finding: /\bupdated_since\b/,
  },
  {
    reason:
      'Schemathesis writes forms without their file, and with fields that are not documented.',
    check: REJECTED,
    messages: [/^The form holds no file/, /^A file of the form is empty/, /is not a known field$/],
  },
]

export function isMeant({ check, answer, status, message: found }: Failure): boolean {
  const { message, code } = refusalIn(answer)
  return DEVIATIONS.filter((one) => one.check === check).some(
    ({ finding, code: codes, messages }) => {
      if (finding) return finding.test(found)
      if (status !== 400 && status !== 503) return false
      return codes ? codes.includes(code) : !!messages?.some((words) => words.test(message))
    },
  )
}

function refusalIn(answer: string): { message: string; code: string } {
  try {
    const { message = '', details } = JSON.parse(answer)
    return { message, code: details?.code ?? '' }
  } catch {
    return { message: '', code: '' }
  }
}
