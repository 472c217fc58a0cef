/** Words for nouns of the API that a reader of the document would not recognise. */
const NOUNS: Record<string, string> = {
  projects: 'Board',
  people: 'Person',
  my_tasks: 'MyTask',
  time: 'Time',
  sessions: 'AgentSession',
  messages: 'AgentMessage',
}

/**
 * Names for schemas that occur in several places or whose derived name would mislead. The key is the
 * first place: an operation and the path of fields in its data; `input` is its body.
 */
export const NAMED_PLACES: Record<string, string> = {
  'guidance.versions[].author': 'Actor',
  'labels.list[]': 'Label',
  'projects.manifest.labels[]': 'LabelReference',
  'projects.manifest.playbook': 'Playbook',
  'tasks.list[].custom_fields[]': 'CustomFieldValue',
  'comments.list[].reactions[]': 'Reaction',
  'comments.get.attachments[]': 'Attachment',
  'comments.list[]': 'CommentOrEvent',
  'tasks.get': 'Task',
  'tasks.create.next_occurrence': 'NextOccurrence',
  'tasks.create.similar[]': 'SimilarTask',
  'tasks.update_many[].refused': 'Refusal',
  'tasks.update_many[]': 'TaskBulkReceipt',
  'tasks.get.lease': 'CurrentLease',
  'leases.claim': 'Lease',
  'tasks.duplicates[].similar': 'TaskReference',
  'tasks.context|0': 'TaskContext',
  'tasks.context|1': 'TaskContextSummary',
  'tasks.context|0.parent': 'RelatedTask',
  'imports.list[].projects[]': 'BoardReference',
  'evidence.list[].attachment': 'EvidenceFile',
  'custom_fields.list[].options[]': 'CustomFieldOption',
  'shared_texts.get.changes[]': 'TextChange',
  'pages.diff.from': 'PageVersionReference',
  'pages.get': 'Page',
  'views.get.board_filters': 'BoardFilters',
  'views.get.board_filters.groups[]': 'FilterGroup',
  'views.get.board_filters.groups[].rules[]': 'FilterRule',
  'views.get.sorting_stack[]': 'SortKey',
  'views.get.display': 'ViewDisplay',
  'my_tasks.add|0': 'MyTaskAdded',
  'my_tasks.add|1': 'ParsedTask',
  'my_tasks.add|0.understood': 'ParsedInput',
  'inbox.list[]': 'Notification',
  'inbox.mark': 'NotificationReceipt',
  'time.start': 'Timer',
  'time.list[]': 'TimeEntry',
  'time.report': 'TimeTotals',
  'flow.report': 'FlowFigures',
  'flow.report.cycle': 'Duration',
  'search.tasks[]': 'FoundTask',
  'search.quick[]': 'QuickMatch',
  'search.semantic[]': 'FoundPassage',
  'search.related[]': 'RelatedPassage',
  'search.help[]': 'HelpPassage',
  'chat.reply.message': 'ChatMessage',
  'chat.thread.messages[].parts[]|0': 'ChatText',
  'chat.undo.call': 'ChatToolCall',
  'chat.undo.call.trouble': 'ChatProblem',
  'webhooks.replay': 'WebhookDelivery',
  'agents.create.client_configuration': 'ClientConfiguration',
  'agents.create.client_configuration.headers': 'ClientHeaders',
  'audit.list[]': 'AuditEntry',
  'comments.add.input.mentions[]': 'MentionInput',
  'comments.add.input.attachments[]': 'FileInput',
  'projects.create.input.labels[]': 'LabelInput',
  'custom_fields.create.input.options[]': 'CustomFieldOptionInput',
  'tasks.list.filter': 'TaskFilter',
  'guidance.version': 'GuidanceText',
  'leases.get': 'TaskLeaseState',
  'webhooks.deliveries[]': 'WebhookAttempt',
  'projects.board': 'BoardCards',
  'projects.board.cards[]': 'BoardCard',
  'projects.board_details': 'BoardDetails',
  'projects.export.file': 'BoardExportFile',
  'tasks.create.input|1': 'TaskCreateOrUpdateInput',
  'chat.thread': 'ChatThreadDetail',
  'calendar.list[]': 'CalendarEntry',
  'teams.leave.input': 'EmptyInput',
  'imports.start.input.origin': 'ImportOrigin',
  'views.create.input.sorting_stack[]': 'SortKeyInput',
}

export const pascal = (text: string) =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

export function singular(word: string): string {
  if (/ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (/(ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2)
  return /[^s]s$/.test(word) && !/(us|is)$/.test(word) ? word.slice(0, -1) : word
}

/** The record that the operations of a noun are about: `Label` for `labels`. */
export const recordName = (noun: string) => NOUNS[noun] ?? pascal(singular(noun))
