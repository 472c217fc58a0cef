import type { Failure } from './report.ts'

/** An intended failure. */
interface Deviation {
  reason: string
  check: string
  /** The code of the field in the refusal. */
  code?: readonly string[]
  /** Patterns of the refusal's message. */
  messages?: readonly RegExp[]
  /** Pattern of the message of Schemathesis. */
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
    reason: 'This server has no model, and a chat needs one.',
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
      /^cursor must be the next_cursor of a list/,
      /^history_key does not come from a sessions response/,
      /^history_key belongs to another board/,
    ],
  },
  {
    reason: 'The pattern of a repeat rule has its parts, but not which of them fit together.',
    check: REJECTED,
    messages: [/^recurrence must be one of /],
  },
  {
    reason: 'One of several fields is needed; the refusal names them.',
    check: REJECTED,
    messages: [
      /^Name (the (source |target )?(task|tasks|page)|whose inbox|one inbox)\b/,
      /^The (source |target )?(task|report|field) is required/,
      /^(page_id|name|body|slug) is required/,
      /^(A task or text|No field to change)/,
      /^Send either task_ids or ticket_numbers/,
      /unique_index requires (source_|target_)?project_id/,
      /needs exactly one of data, url and text/,
      /^Nothing was (given|named) to/,
      /^An assignee is required: user_id/,
      /needs either user_id \(person\) or agent_id \(agent\)/,
      /^(project_id|title) is required\b/,
      /^composition groups the notifications of one board/,
      /^Evidence of the kind \w+ needs/,
      /^Send either task_id or page_id/,
      /^Name either a board \(project_id\) or a team/,
      /^lease_id is required, or the task as/,
      /a starter task needs exactly one of section_index and section_title/,
    ],
  },
  {
    reason: 'A field means something only beside another one.',
    check: REJECTED,
    messages: [
      /is only for claim: true/,
      / (has no meaning|is required) here$/,
      /^state applies to one pull request/,
      /^dry_run requires natural/,
      /^(canvas|mode) requires content/,
      /^A canvas must be HTML/,
      /^A skill with a project_id has scope project/,
      /cannot be combined with markdown/,
      /(lies|is) (before|after)/,
      /^parent must be the index of an earlier task/,
      /^The range has \d+ days; the maximum is/,
    ],
  },
  {
    reason: 'What is allowed depends on what is stored, or on the clock.',
    check: REJECTED,
    messages: [
      /^url is required, because this agent has no webhook yet/,
      /^project_id is required, because no default board is set/,
      /^selected_option must be exactly one of the options/,
      /^There is no default person to notify/,
      /^This board has no field ".*", and only Number fields are created/,
      /^expires_at is in the past/,
      /^until is in the past/,
      /^date is more than one day in the future/,
      /is not a sort mode of these tasks/,
      /is not a (custom )?field of these (tasks|records)/,
      /has (no agent|several agents) assigned/,
    ],
  },
  {
    reason: 'In an address, the field is a list of ids or one name. Both are documented as texts.',
    check: REJECTED,
    messages: [/^assigned_to\.\d+ must be integer/],
  },
  {
    reason: 'Schemathesis puts a word from one response into the address of another operation.',
    check: REJECTED,
    messages: [/^entry_id must be integer/],
  },
  {
    reason: 'Text of blanks and control characters only. Which those are follows Unicode.',
    check: REJECTED,
    messages: [
      /\b(title|name|text|query|question|reason|summary|description) (must not be empty|holds nothing|has no search terms)/,
    ],
  },
  {
    reason:
      'A rule that JSON Schema has no word for: emoji, time zones, base64, addresses, front matter.',
    check: REJECTED,
    messages: [
      /^markdown, line \d+: /,
      /^emoji must be a single emoji/,
      /^time_zone is not a known time zone/,
      /^avatar must be the https URL of an image/,
      /is not base64/,
      /^url(s\.\d+)? must be the http or https URL/,
      /^Skills can be imported from /,
      /^There is no event /,
      /^options contains .* twice/,
      /\bpriority must be one of/,
      /^(user_id|project_id) is not a number/,
      /It is not an (http or )?https address/,
      / is not a public address$/,
      /^member_identifier must be a user_id or an email address/,
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
    reason: 'An empty Last-Event-ID is the same as none.',
    check: 'negative_data_rejection',
    finding: /`Last-Event-ID` in header/,
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
    messages: [/^The form has no file/, /^A file in the form is empty/, /is not a known field$/],
  },
]

export function isIntended({
  check,
  responseBody,
  status,
  message: explanation,
}: Failure): boolean {
  const { message, code } = parseRefusal(responseBody)
  return DEVIATIONS.filter((one) => one.check === check).some(
    ({ finding, code: codes, messages }) => {
      if (finding) return finding.test(explanation)
      if (status !== 400 && status !== 503) return false
      return codes ? codes.includes(code) : !!messages?.some((pattern) => pattern.test(message))
    },
  )
}

function parseRefusal(responseBody: string): { message: string; code: string } {
  try {
    const { message = '', details } = JSON.parse(responseBody)
    return { message, code: details?.code ?? '' }
  } catch {
    return { message: '', code: '' }
  }
}
