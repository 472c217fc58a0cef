/** The fields of ours that a column can be. */
export const ROLES = [
  'title',
  'description',
  'status',
  'priority',
  'labels',
  'assignees',
  'due',
  'start',
  'created',
  'updated',
  'completed',
  'author',
  'parent',
  'id',
  'key',
  'url',
  'estimate',
  'board',
  'archived',
  'comment',
  'blocked_by',
  'blocks',
] as const
export type Role = (typeof ROLES)[number]

/** What a column can be: a field of ours, a custom field, or nothing. */
export const COLUMN_ROLES = [...ROLES, 'field', 'ignore'] as const
export type ColumnRole = (typeof COLUMN_ROLES)[number]

/** The names of columns that mean a field, the likeliest first, in several languages. */
const NAMES: Readonly<Record<Role, string>> = {
  title:
    'title|task name|task title|card name|issue title|work item|summary|subject|task|name|to do|todo|item|titel|aufgabe|aufgabenname|betreff|titre|nom|tâche|título|titulo|tarea|nombre|asunto|resumen|tarefa|nome|titolo|attività|taak|onderwerp|zadanie|tytuł|podsumowanie|タイトル|タスク|件名|标题|任务|название|задача|text|what',
  description:
    'description|task description|issue description|details|body|notes|note|content|beschreibung|notizen|details der aufgabe|détails|remarques|descripción|descripcion|notas|detalles|descrição|descrizione|note della attività|omschrijving|beschrijving|notities|opis|説明|内容|描述|备注|описание|desc',
  status:
    'status|state|task status|column|list|list name|stage|bucket|bucket name|section|section column|lane|board column|workflow state|zustand|spalte|liste|phase|statut|état|etat|colonne|estado|columna|lista|etapa|stato|colonna|kolom|kolumna|ステータス|状態|状态|статус|colonne du tableau|situação',
  priority:
    'priority|prio|importance|urgency|severity|priorität|dringlichkeit|priorité|prioridad|prioridade|priorità|prioriteit|priorytet|優先度|优先级|приоритет',
  labels:
    'labels|label|tags|tag|categories|category|keywords|etiketten|schlagwörter|kategorie|kategorien|étiquettes|catégorie|etiquetas|categoría|categoria|etichette|etykiety|components|ラベル|タグ|标签|метки',
  assignees:
    'assignees|assignee|assigned to|assigned|owner|responsible|members|who|zugewiesen an|zugewiesen|zuständig|verantwortlich|bearbeiter|assigné à|assigné|responsable|asignado a|asignado|persona asignada|responsável|atribuído a|assegnato a|assegnatario|toegewezen aan|osoba przypisana|担当者|负责人|исполнитель',
  due: 'due|due date|due on|deadline|due at|target date|end date|finish date|end|finish|fällig|fällig am|fälligkeitsdatum|frist|enddatum|échéance|date d échéance|fecha de vencimiento|vencimiento|fecha límite|data de vencimento|prazo|scadenza|data di scadenza|vervaldatum|deadline datum|termin|期限|期日|截止日期|срок',
  start:
    'start|start date|start on|starts|begin|planned start date|startdatum|beginn|début|date de début|fecha de inicio|inicio|data de início|início|data di inizio|inizio|begindatum|開始日|开始日期|начало',
  created:
    'created|created at|created on|created date|creation date|date created|created time|date added|added|erstellt|erstellt am|angelegt|créé|créé le|date de création|creado|creada|fecha de creación|criado em|criado|creato|creato il|aangemaakt|utworzono|作成日|创建时间|создано',
  updated:
    'updated|updated at|updated on|last modified|modified|last updated|last edited time|aktualisiert|geändert|geändert am|modifié|mis à jour|actualizado|actualizada|atualizado|modificato|aggiornato|gewijzigd|更新日|更新时间|обновлено',
  completed:
    'completed|completed at|completed on|completed date|completion date|date completed|completed time|done|is done|is completed|finished|closed on|closed at|resolved|checked|complete|erledigt|erledigt am|abgeschlossen|fertig|terminé|terminée|hecho|completado|completada|finalizado|concluído|concluida|feito|completato|fatto|voltooid|gereed|wykonane|完了|完成|выполнено',
  author:
    'author|created by|creator|reporter|requester|ersteller|erstellt von|autor|auteur|créé par|creado por|informador|criado por|creato da|aangemaakt door|作成者|创建者|автор',
  parent:
    'parent|parent task|parent id|parent key|parent title|subtask of|sub item of|parent item|parent issue|übergeordnet|übergeordnete aufgabe|tâche parente|parente|tarea principal|tarea padre|tarefa pai|attività principale|bovenliggende taak|親タスク|父任务',
  id: 'id|task id|issue id|item id|card id|uid|uuid|guid|identifier|taskid|kennung|identifiant|identificador|identificatore|編號|идентификатор',
  key: 'key|issue key|task key|ticket|ticket id|ticket number|schlüssel|clé|clave|clave de incidencia|klucz zgłoszenia|chave',
  url: 'url|link|task url|permalink|issue url|card url|href|web link',
  estimate:
    'estimate|size|t shirt size|effort|schätzung|aufwand|größe|estimation|taille|estimación|tamaño|estimativa|stima|omvang',
  board:
    'board|project|project name|board name|workspace project|projekt|projet|proyecto|tablero|projeto|quadro|progetto|bacheca|プロジェクト|项目|проект',
  archived: 'archived|is archived|archiviert|archivé|archivado|arquivado|archiviato|gearchiveerd',
  comment:
    'comments|comment|kommentar|kommentare|commentaire|commentaires|comentario|comentarios|comentário|comentários|commento|commenti|opmerkingen',
  blocked_by:
    'blocked by|depends on|dependencies|predecessors|predecessor|blocked by dependencies|blockiert von|abhängig von|vorgänger|bloqué par|dépend de|bloqueado por|depende de|bloccato da|dipende da',
  blocks:
    'blocks|blocking|successors|successor|blocking dependencies|blockiert|nachfolger|bloque|bloquea|bloqueia|blocca',
}

/** `Due_Date:` and `due date` are one name. */
export const plainName = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Finds the column of each role. Two roles never share a column. */
export function rolesOf(
  header: readonly string[],
  mapping: Readonly<Record<string, string>>,
): Map<Role, string> {
  const roles = new Map<Role, string>()
  const free = new Map<string, string>()
  for (const column of header) {
    const wanted = mapping[column]
    if (wanted === undefined) free.set(plainName(column), free.get(plainName(column)) ?? column)
    else if (isRole(wanted)) roles.set(wanted, column)
  }
  for (const role of ROLES) {
    const name = roles.has(role) ? undefined : NAMES[role].split('|').find((one) => free.has(one))
    if (name === undefined) continue
    roles.set(role, free.get(name)!)
    free.delete(name)
  }
  return roles
}

const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name)
