import { type FieldTable, unneeded } from '../../fields.ts'

const id = unneeded('technical id')
const view = unneeded('view setting')
const noDates = unneeded('only tasks, comments and attachments have dates')
const profile = unneeded('profile setting')
const decoration = unneeded('decoration')

/** Declares fields of the objects of a list. */
const inList = (list: string, fates: FieldTable): FieldTable =>
  Object.fromEntries(
    Object.entries(fates).map(([name, fate]) => [`included.${list}[].${name}`, fate]),
  )

const dates = { createdAt: noDates, updatedAt: noDates }

const boardFields: FieldTable = {
  'item.id': 'id of the board',
  'item.name': 'board title',
  'item.projectId': id,
  'item.position': view,
  'item.defaultView': view,
  'item.defaultCardType': view,
  'item.limitCardTypesToDefaultOne': view,
  'item.alwaysDisplayCardCreator': view,
  'item.displayCardAges': view,
  'item.expandTaskListsByDefault': view,
  'item.isSubscribed': view,
  'item.createdAt': noDates,
  'item.updatedAt': noDates,
  'included.projects[]': unneeded('settings of the project'),
  'included.projects[].name': 'board description',
  'included.projects[].description': 'board description',
  'included.boardMemberships': unneeded('roles on the Planka board'),
}

const userFields = inList('users', {
  id: 'id of the person',
  name: 'name of the person',
  username: 'name of the person, if there is no name',
  email: 'email of the person',
  ...Object.fromEntries(
    [
      ...['role', 'isAdmin', 'phone', 'organization', 'language', 'avatar', 'avatarUrl'],
      ...['gravatarUrl', 'isSso', 'isSsoUser', 'isDeactivated', 'isDefaultAdmin', 'isLocked'],
      ...['isRoleLocked', 'isUsernameLocked', 'isDeletionLocked', 'lockedFieldNames', 'deletedAt'],
      ...['apiKeyPrefix', 'subscribeToOwnCards', 'subscribeToCardWhenCommenting'],
      ...['turnOffRecentCardHighlighting', 'enableFavoritesByDefault', 'defaultEditorMode'],
      ...['defaultHomeView', 'defaultProjectsOrder', 'createdAt', 'updatedAt'],
    ].map((name) => [name, profile]),
  ),
})

const listFields: FieldTable = {
  ...inList('lists', {
    id: 'the column of its tasks',
    name: 'column title; of completed tasks elsewhere, custom field List',
    type: 'done column, archived tasks or, for the trash, nothing',
    position: 'order of the columns',
    color: decoration,
    boardId: id,
    ...dates,
  }),
  ...inList('labels', {
    id: 'the labels of its tasks',
    name: 'label name',
    color: 'label color, and the name of a label without a name',
    position: 'order of the labels',
    boardId: id,
    ...dates,
  }),
}

const cardFields: FieldTable = {
  ...inList('cards', {
    id: 'id of the task',
    name: 'task title',
    description: 'task description; links to cards of the board become links to tasks',
    listId: 'column',
    prevListId: 'column of an archived task',
    position: 'order of the tasks',
    type: 'custom field Type, for stories',
    dueDate: 'due date',
    isDueCompleted: 'done: the task is in a column for what is done',
    isDueDateCompleted: 'done: the task is in a column for what is done',
    isClosed: 'done: the task is in a column for what is done',
    listChangedAt: 'completion date of a task in a closed list',
    stopwatch: 'custom field Stopwatch minutes',
    timer: 'custom field Stopwatch minutes',
    creatorUserId: 'creator of the task',
    createdAt: 'creation date',
    updatedAt: 'date of the last change',
    commentsTotal: unneeded('number of the comments'),
    coverAttachmentId: decoration,
    isSubscribed: view,
    boardId: id,
  }),
  ...inList('cardMemberships', { id, cardId: id, userId: 'assignees', ...dates }),
  ...inList('cardLabels', { id, cardId: id, labelId: 'labels', ...dates }),
  ...inList('taskLists', {
    id,
    cardId: 'task of the task list',
    name: 'heading of a task list in the description',
    position: 'order of the task lists',
    showOnFrontOfCard: view,
    hideCompletedTasks: view,
    ...dates,
  }),
  ...inList('tasks', {
    id,
    cardId: 'task of the task list',
    taskListId: 'task list',
    name: 'item of a task list',
    isCompleted: 'checked item of a task list',
    position: 'order of the items',
    assigneeUserId: 'name in the words of the item',
    linkedCardId: 'link in the item, and a relation to the task',
    ...dates,
  }),
}

const customFields: FieldTable = {
  ...inList('customFieldGroups', {
    id,
    name: 'custom field name, if several groups have a field of that name',
    baseCustomFieldGroupId: 'custom field name',
    position: 'order of the custom fields',
    boardId: id,
    cardId: id,
    ...dates,
  }),
  ...inList('baseCustomFieldGroups', { id, name: 'custom field name', projectId: id, ...dates }),
  ...inList('customFields', {
    id,
    name: 'custom field name',
    position: 'order of the custom fields',
    showOnFrontOfCard: view,
    customFieldGroupId: id,
    baseCustomFieldGroupId: id,
    ...dates,
  }),
  ...inList('customFieldValues', {
    id,
    content: 'value of the custom field',
    cardId: 'task of the value',
    customFieldId: 'custom field',
    customFieldGroupId: 'custom field',
    ...dates,
  }),
}

const contentFields: FieldTable = {
  ...inList('attachments', {
    id: 'id of the attachment',
    name: 'file name, or text of a link in the description',
    type: 'whether it is a file or a link',
    data: unneeded('size and previews of the file'),
    'data.url':
      'file, or link in the description. Files need an import from the address of the board',
    'data.mimeType': 'content type of the file',
    url: 'file',
    image: unneeded('size of the image'),
    coverUrl: unneeded('smaller copy of an image'),
    cardId: 'task of the attachment',
    creatorUserId: 'who attached the file',
    createdAt: 'date of the attachment',
    updatedAt: noDates,
  }),
  ...inList('comments', {
    id: 'id of the comment',
    text: 'comment text',
    cardId: 'task of the comment',
    userId: 'author of the comment',
    createdAt: 'date of the comment',
    updatedAt: 'date of the last change of the comment',
  }),
  ...inList('actions', {
    id: 'id of the comment',
    type: 'comments; other entries of the history are left out',
    data: unneeded('details of the history'),
    'data.text': 'comment text',
    cardId: 'task of the comment',
    userId: 'author of the comment',
    createdAt: 'date of the comment',
    updatedAt: 'date of the last change of the comment',
  }),
}

export const fields: FieldTable = {
  ...boardFields,
  ...userFields,
  ...listFields,
  ...cardFields,
  ...customFields,
  ...contentFields,
}
