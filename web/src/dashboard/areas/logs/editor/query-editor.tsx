/**
 * The editor of log queries. It lives in a shadow root, where its library puts its styles into a constructed sheet: the
 * page's policy forbids style elements, and this needs none.
 */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers, tooltips } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { QueryOutline } from '../outline.js';
import { completionFor, type EditorLanguage } from './completion.js';
import { highlighting } from './languages.js';
import { theme } from './theme.js';

/** A fault in the text: where, and what. */
export interface Fault {
  /** 0-based. */
  readonly offset: number;
  readonly message: string;
}

export interface QueryEditorProps {
  /** What the editor is called, for who cannot see it. It and the language stay as they are: key the editor by them. */
  readonly label: string;
  readonly language: EditorLanguage;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Ctrl-Enter or Cmd-Enter. */
  readonly onRun?: () => void;
  readonly outline: QueryOutline | null;
  readonly fault: Fault | null;
}

/** The word at the fault, at least one character; at the end of the text the one before. */
const rangeOf = (text: string, offset: number): { readonly from: number; readonly to: number } => {
  if (offset >= text.length) return { from: Math.max(0, text.length - 1), to: text.length };
  const [word = ''] = /^\w*/.exec(text.slice(offset)) ?? [];
  return { from: offset, to: offset + Math.max(1, word.length) };
};

/**
 * What is typed over a selection. Chromium would put it in with a style of its own, which the page's policy blocks and
 * reports.
 */
const replaceSelected = EditorView.domEventHandlers({
  beforeinput: ({ inputType, data }, view) => {
    const { main } = view.state.selection;
    if (inputType !== 'insertText' || data === null || main.empty || view.composing) return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, main.from, main.to, data, insert))) view.dispatch(insert());
    return true;
  },
});

const Editor = ({ label, language, value, onChange, onRun, outline, fault }: QueryEditorProps) => {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const now = useRef({ onChange, onRun, outline });
  now.current = { onChange, onRun, outline };
  const initial = useRef({ label, language, value });
  const isReplacing = useRef(false);

  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const run = (): boolean => {
      now.current.onRun?.();
      return now.current.onRun !== undefined;
    };
    // At once: whoever types and runs in one breath runs what they have typed.
    const tell = (text: string): void => {
      if (!isReplacing.current) flushSync(() => now.current.onChange(text));
    };
    const complete = completionFor(initial.current.language, () => now.current.outline);
    const made = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: initial.current.value,
        extensions: [
          keymap.of([{ key: 'Mod-Enter', run }]),
          lineNumbers(),
          history(),
          drawSelection(),
          replaceSelected,
          bracketMatching(),
          closeBrackets(),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': initial.current.label, 'aria-multiline': 'true' }),
          tooltips({ position: 'absolute' }),
          // Tab is left to the way from field to field.
          keymap.of([
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...lintKeymap,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          highlighting(initial.current.language),
          // What the keys do must not depend on how long a list has been there.
          autocompletion({ override: [complete], icons: false, interactionDelay: 0 }),
          theme,
          EditorView.updateListener.of((update) => {
            if (update.docChanged) tell(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => {
      made.destroy();
      view.current = null;
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    isReplacing.current = true;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
    isReplacing.current = false;
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const marks =
      fault === null
        ? []
        : [{ ...rangeOf(value, fault.offset), severity: 'error' as const, message: fault.message }];
    const known = marks.filter(({ to }) => to <= editor.state.doc.length);
    editor.dispatch(setDiagnostics(editor.state, known));
  }, [fault, value]);

  return <div className="query-editor" ref={host} data-language={language} />;
};

export default Editor;
