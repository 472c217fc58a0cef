/** The lines of a team's export file with every kind of record, written without the exporter. */

const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 8, minute)).toISOString()
const PEOPLE = ['ada', 'ben', 'zoë'].map((name) => `${name}@example.com`)
const AGENT = '0b0e7c1e-7a34-4b2c-9d3e-0123456789ab'
const WHO = [...PEOPLE, `agent:${AGENT}`]

const team = {
  team: { team_uuid: '5f0e7c1e-7a34-4b2c-9d3e-0123456789ab', name: 'Häfen ⚓', created_at: at(0) },
}

const people = PEOPLE.map((email, n) => ({
  person: {
    ...{ email, name: email.split('@')[0], avatar: n ? null : 'https://example.com/a.png' },
    ...{ time_zone: 'Europe/Berlin', locale: 'de', default_board: n === 1 ? 'WEB' : null },
    created_at: at(n),
    // The last person has left the team but is the author of some texts.
    role: ['owner', 'member', null][n],
    joined_at: n === 2 ? null : at(n),
  },
}))

const agent = {
  agent: {
    ...{ agent_id: AGENT, name: 'Scout', avatar: null, owner: PEOPLE[1] },
    ...{ kind: 'native', state: 'inactive', scopes: ['tasks:read', 'tasks:write'] },
    ...{ boards: ['WEB'], instructions: 'Be <kind> & brief.\n' },
    ...{ budget_micro_usd: 25_000_000, paused_at: at(4), paused_by: PEOPLE[2], created_at: at(3) },
  },
}

const board = (key: string, next_number: number) => ({
  board: {
    key,
    title: `Board ${key}`,
    description: key === 'WEB' ? '# What\n\n"Quoted" &amp; <b>bold</b> \u2028 🎈' : null,
    access: key === 'WEB' ? 'team' : 'invited',
    status: key === 'WEB' ? 'Normal' : 'Archive',
    next_number,
    custom_instruction: 'Be brief',
    working_rules: null,
    definition_of_done: ['Tested', 'Told'],
    notes: 'n',
    // So many that no server archives tasks while a test runs.
    auto_archive_days: key === 'WEB' ? 3650 : null,
    model_selected: null,
    ...(key === 'WEB'
      ? { budget_micro_usd: 3_000_000_000, paused_at: at(5), paused_by: WHO[3] }
      : { budget_micro_usd: null, paused_at: null, paused_by: null }),
    playbook_version: 7,
    source_summary: null,
    created_by: PEOPLE[2],
    created_at: at(4),
    updated_at: at(5),
    sections: ['a0', 'a0V', 'a1', 'a2'].map((rank, n) => ({
      title: ['Open', 'Doing', 'Review', 'Done'][n],
      role: ['intake', 'building', 'verify', 'done'][n],
      ...{ is_done: n === 3 ? true : null, done: n === 3, hidden: n === 2, rank },
      auto_assign: n === 1 ? WHO[3] : null,
      wip_limit: n === 1 ? 3 : null,
      color: n === 1 ? '#2a8244' : null,
      created_at: at(6 + n),
    })),
    labels: ['Bug', 'Ünique', 'ui'].map((name) => ({ name, color: '#123456', created_at: at(9) })),
    fields: [
      { n: 1, name: 'Points', type: 'number', options: null },
      { n: 2, name: 'Größe', type: 'select', options: [{ option_id: 'a1', label: 'Small' }] },
    ].map(({ n, ...fields }) => ({
      field_id: `${key === 'WEB' ? 'a' : 'b'}b0e7c1e-7a34-4b2c-9d3e-01234567890${n}`,
      ...{ ...fields, created_by: PEOPLE[0], created_at: at(12) },
    })),
    members: key === 'WEB' ? [] : [{ who: PEOPLE[1], added_at: at(10) }],
  },
})

function* tasks(key: string, many: number): Generator<object> {
  for (let n = 1; n <= many; n++) {
    const versions = n % 3
    const section = n % 4
    yield {
      task: {
        ticket_number: `${key}-${n}`,
        ...{ board: key, section, unique_index: n, title: `Task ${n} ${'ä'.repeat(n % 7)}` },
        description: versions ? `<p>Text ${versions} of ${n}</p>` : null,
        ...{ content_type: n % 2 ? 'html' : 'markdown', description_version: versions },
        ...{ priority: n % 5, estimate: [0, 2, 3, 4, 5, 6][n % 6] },
        start_date: n % 10 ? null : at(n),
        recurrence: n % 14 ? null : n % 28 ? 'Monthly' : 'FREQ=MONTHLY;BYDAY=2FR;COUNT=3',
        repeats_from: n % 14 ? null : '2026-01-31',
        snoozed_until: n % 22 ? null : at(n + 50),
        starts_from: n % 20 ? null : '2026-03-29T02:30:00[Europe/Berlin]',
        reminded: n % 3,
        due_date: n % 4 ? null : n % 8 ? '2026-03-01' : at(n),
        due_at: n % 4 ? null : '2026-03-01T22:59:59.999Z',
        // Some tasks come before their parent, some after it.
        parent:
          n % 6 === 1 && n > 6
            ? `${key}-${n - 6}`
            : n % 50 === 2 && n < many
              ? `${key}-${n + 1}`
              : null,
        status: n % 9 ? 'Normal' : n % 2 ? 'Archive' : 'Deleted',
        rank: `b${String(n).padStart(6, '0')}V`,
        created_by: WHO[n % 4],
        ...{ created_at: at(n), updated_at: at(n + 5) },
        completed_at: section === 3 ? at(n + 5) : null,
        labels: ['Bug', 'Ünique', 'ui'].slice(0, n % 4),
        assignees: [WHO[3], ...PEOPLE].slice(0, n % 3),
        former_tickets: n % 100 ? [] : [`OLD${key}-${n}`],
        section_changed_at: at(n),
        pr_badge: n % 12 ? null : 'pending',
        fields: [
          { name: 'Größe', number: null, text: 'a1' },
          { name: 'Points', number: n / 4, text: null },
        ].slice(n % 3),
      },
    }
    for (let version = 1; version <= versions; version++)
      yield {
        version: {
          ...{ task: `${key}-${n}`, version, content: `<p>Text ${version} of ${n}</p>` },
          content_type: n % 2 ? 'html' : 'markdown',
          ...{ author: WHO[(n + version) % 4], created_at: at(n + version) },
        },
      }
    yield* taskRecords(`${key}-${n}`, n)
    yield* timeEntries(`${key}-${n}`, n)
  }
}

/** A page that grew and was then shortened, with a nested and archived canvas. */
function* pages(task: string, n: number): Generator<object> {
  const [outerId, nestedId] = [`pg_top${task}`, `pg_below${task}`]
  const pageFields = { title: 'What we learnt', content_type: 'markdown', canvas: false }
  const texts = ['Salt rusts 🧂', 'Salt rusts 🧂\n\nPaint peels', 'Paint peels']
  yield {
    page: {
      ...{ task, public_id: outerId, parent: null, kind: 'page', ...pageFields, content: texts[2] },
      ...{ version: 3, created_by: WHO[3], updated_by: WHO[1] },
      ...{ created_at: at(n), updated_at: at(n + 3), archived_at: null },
    },
  }
  const drawn = { title: '#Exploration of hulls', content_type: 'html', canvas: true }
  yield {
    page: {
      ...{ task, public_id: nestedId, parent: outerId, kind: 'exploration', ...drawn, version: 1 },
      content: '<!doctype html><svg onload="draw()"></svg>',
      ...{ created_by: WHO[2], updated_by: WHO[2] },
      ...{ created_at: at(n + 1), updated_at: at(n + 1), archived_at: at(n + 4) },
    },
  }
  const reverseSteps = [['Salt rusts 🧂\n\n', [0, 11]], [[0, 13]], null]
  for (const [index, step] of reverseSteps.entries())
    yield {
      page_version: {
        ...{
          task,
          page: outerId,
          version: 3 - index,
          ...pageFields,
          note: index ? null : 'Old news',
          back: step,
        },
        ...{ author: WHO[(index + 1) % 4], created_at: at(n + 3 - index) },
      },
    }
  yield {
    page_version: {
      ...{ task, page: nestedId, version: 1, ...drawn, note: null, back: null },
      ...{ author: WHO[2], created_at: at(n + 1) },
    },
  }
}

/** Comments, decisions, pull requests, evidence, escalations and pages of every twelfth task. */
function* taskRecords(task: string, n: number): Generator<object> {
  if (n % 12) return
  for (const [index, text] of ['<p>First</p>', '**Second** 🎉', 'Third'].entries())
    yield {
      comment: {
        ...{ task, author: WHO[index], text, content_type: index ? 'markdown' : 'html' },
        reply_to: index || null,
        mentioned: index === 1 ? [WHO[0], WHO[3]].sort() : [],
        reactions: index
          ? []
          : [WHO[1], WHO[2]].map((actor) => ({ emoji: '👍', who: actor, created_at: at(n + 9) })),
        ...{ created_at: at(n + index), edited_at: index === 2 ? at(n + 8) : null },
      },
    }
  for (const status of ['pending', 'answered'])
    yield {
      decision: {
        ...{ task, question: `Is it ${status}?`, options: ['Yes', 'No'], note: null, status },
        ...{ asked: [PEOPLE[1], PEOPLE[2]], created_by: WHO[3], created_at: at(n) },
        ...(status === 'pending'
          ? { selected_option: null, answer_note: null, closed_by: null, closed_at: null }
          : { selected_option: 'No', answer_note: 'Not yet' }),
        ...(status === 'answered' && { closed_by: PEOPLE[1], closed_at: at(n + 3) }),
      },
    }
  yield {
    pull_request: {
      ...{ task, url: `https://example.com/pull/${n}`, title: 'Build it', state: 'open' },
      ...{ review: 'approved', reviews: { ben: ['approved', 1768000000000] }, branch: `hft-${n}` },
      ...{ preview_url: `https://preview.example.com/${n}` },
      ...{ checks: 'pending', head_sha: 'c0ffee', results: { lint: ['pending', 1768000000000] } },
      ...{ told_at: 1768000000000.5, created_by: PEOPLE[0] },
      ...{ created_at: at(n), updated_at: at(n + 1) },
    },
  }
  yield {
    evidence: {
      ...{ task, kind: 'link', summary: 'The build is green', attachment: null },
      ...{ url: `https://ci.example.com/${n}`, created_by: WHO[3], created_at: at(n + 2) },
    },
  }
  for (const note of [null, 'Seen to'])
    yield {
      escalation: {
        ...{ task, reason: 'Look at this', to: PEOPLE[1], created_by: WHO[3] },
        ...{ created_at: at(n + 3), note },
        resolved_by: note && PEOPLE[1],
        resolved_at: note && at(n + 4),
      },
    }
  yield* pages(task, n)
}

const unixSeconds = (n: number) => Date.UTC(2026, 0, 5, 8, n) / 1000

/** A timer with two stretches, one that was stopped at once, and time that was logged later. */
function* timeEntries(task: string, n: number): Generator<object> {
  if (n % 5) return
  const [from, to] = [unixSeconds(n), unixSeconds(n + 9)]
  const entries = [
    {
      kind: 'timer',
      stretches: [
        [from, to],
        [to + 60, to + 90],
      ],
      seconds: to - from + 30,
    },
    { kind: 'timer', stretches: [], seconds: 0, ended_at: at(n) },
    { kind: 'logged', stretches: [], seconds: 60 * n, day: '2026-01-04', ended_at: at(n) },
  ]
  for (const [index, entry] of entries.entries())
    yield {
      time_entry: {
        ...{ task, who: WHO[(n + index) % 4], kind: entry.kind, started_at: at(n) },
        ended_at: entry.ended_at ?? at(n + 12),
        ...{ stretches: entry.stretches, seconds: entry.seconds, day: entry.day ?? null },
        ...{ note: index ? null : 'Paint & "salt" 🧂', created_at: at(n + index) },
      },
    }
}

const template = (board: string, n: number) => {
  const taskFields = { content_type: n % 2 ? 'html' : 'markdown', priority: n, estimate: 2 }
  return {
    template: {
      ...{
        board,
        name: 'Same name',
        title: `Template ${n}`,
        description: n ? '<p>Paint</p>' : null,
      },
      ...{ ...taskFields, labels: n ? ['Bug', 'Ünique'] : [] },
      subtasks: n ? [{ title: 'Below', description: null, ...taskFields, labels: ['ui'] }] : null,
      ...{ created_by: WHO[n + 2], created_at: at(15 + n) },
    },
  }
}

const skill = (board: string, n: number) => ({
  skill: {
    ...{ board, slug: `skill-${n}`, name: `Skill ${n}`, description: n ? 'When asked' : '' },
    ...{ argument_hint: n ? '[version]' : null, body: '# How\n\n<b>Do</b> it.\n', enabled: n > 0 },
    source: n ? 'https://github.com/ada/kit/blob/main/SKILL.md' : null,
    ...{ created_by: WHO[n + 2], last_used_at: n ? at(18) : null },
    ...{ created_at: at(16 + n), updated_at: at(17 + n) },
  },
})

const rules = [
  { field: 'section', op: 'any_of', value: [{ board: 'WEB', section: 2 }, 'Doing'] },
  { field: 'label', op: 'is', value: { board: 'OPS', label: 'Ünique' } },
  { field: 'assignee', op: 'none_of', value: [{ who: `agent:${AGENT}` }, 'me'] },
  { field: 'created_by', op: 'is', value: { who: PEOPLE[2] } },
  { field: 'parent', op: 'is', value: { task: 'WEB-1' } },
  { field: 'priority', op: 'is_not', value: 3 },
  { field: 'due_date', op: 'empty' },
]
const views = [0, 1].map((n) => ({
  my_view: {
    view_id: `c${n}0e7c1e-7a34-4b2c-9d3e-0123456789ab`,
    ...{ owner: PEOPLE[1], title: `Mine ${n}`, grouping: n ? 'board' : 'due' },
    involvement: n ? 'watched' : 'assigned',
    boards: n ? ['OPS', 'WEB'] : [],
    hidden_sections: n ? [{ board: 'WEB', section: 3 }] : [],
    show_done: n === 1,
    filters: n ? { groups: [{ match: 'ANY', rules }, { rules: rules.slice(5) }] } : null,
    match: n ? 'ANY' : 'ALL',
    sorting: n ? [{ mode: 'Priority', order: 'Descending' }] : null,
    ...{ default_board: n ? 'WEB' : null, created_at: at(40 + n), updated_at: at(50 + n) },
  },
}))

const report = {
  report: {
    ...{ board: 'WEB', title: 'Weekly', slug: 'weekly', description: null },
    body_html: '<h1>All is well</h1>',
    ...{ created_by: WHO[3], created_at: at(20), updated_at: at(21) },
  },
}

/** Sorted by the tasks that they connect, as in an export. */
const relations = (many: number) => [
  ...(many >= 3 ? [relation('blocks', 'OPS-1', 'WEB-3')] : []),
  relation('blocks', 'WEB-1', 'WEB-2'),
  relation('related', 'WEB-1', 'WEB-2'),
]

const relation = (kind: string, first: string, second: string) => ({
  relation: { kind, first, second, created_by: WHO[1], created_at: at(30) },
})

/** All lines of the export file but the last. */
export function exportLines(many: number): object[] {
  const opsTaskCount = Math.ceil(many / 10)
  return [
    { format: 'corkboard-team', version: 1 },
    ...[team, ...people, agent],
    ...[board('OPS', opsTaskCount + 3), board('WEB', many + 1), report],
    ...[template('OPS', 0), template('WEB', 0), template('WEB', 1)],
    ...[skill('OPS', 1), skill('WEB', 0), skill('WEB', 1)],
    ...tasks('OPS', opsTaskCount),
    ...tasks('WEB', many),
    ...relations(many),
    ...views,
  ]
}

/** The text of the export file, without the checksum, which is optional. */
export const exportText = (lines: object[]) =>
  [...lines, { end: { lines: lines.length } }].map((line) => `${JSON.stringify(line)}\n`).join('')
