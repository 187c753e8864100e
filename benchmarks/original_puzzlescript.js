// Breadth-first search of levels of PuzzleScript games with the turn of the original program.
//
//     node benchmarks/original_puzzlescript.js CHECKOUT
//
// CHECKOUT has the original program, https://github.com/increpare/PuzzleScript. It is loaded as it is, without a page:
// a document that has nothing, and no drawing and no sound. Each line of the input is a JSON object: `text`, the game;
// `level`, counted with messages; `seconds`, the limit; `least`, the seconds after which a search that ended is not
// repeated. Each line of the output is what was found, with the turns (inputs tried from positions) and the seconds of
// all repetitions: processor time without reading the game, but with the threads that compile and collect garbage.
'use strict';
const fs = require('fs'), path = require('path'), vm = require('vm'), readline = require('readline');

const FILES = ['storagewrapper', 'bitvec', 'level', 'languageConstants', 'globalVariables', 'debug', 'font', 'rng',
  'riffwave', 'sfxr', 'codemirror/stringstream', 'colorhelpers', 'colors', 'engine', 'parser', 'compiler', 'soundbar'];
const SILENT = ['canvasResize', 'redraw', 'forceRegenImages', 'regenSpriteImages', 'consolePrint', 'consoleError',
  'consolePrintFromRule', 'consoleCacheDump', 'console_print_raw', 'addToDebugTimeline', 'killAudioButton',
  'showAudioButton', 'jumpToLine', 'printLevel', 'playSound'];
const MOST_TICKS = 400, LOOK_EVERY = 64, ERRORS_EVERY = 16;

const nothing = () => undefined;
const element = () => ({style: {}, classList: {contains: () => false}, addEventListener: nothing,
  removeEventListener: nothing, getContext: () => null});
for (const name of SILENT) global[name] = nothing;
Object.assign(global, {window: global, canvas: null, lastDownTarget: null, input: element(),
  editor: {getValue: () => ''}, document: {URL: '', body: element(), createElement: element, getElementById: () => null},
  localStorage: {getItem: () => null, setItem: nothing, removeItem: nothing}});

// The names of the program are those of a script, so what uses them is a script, too.
const SEARCH = `
DoWin = () => { winning = true; };

// Runs the turns that follow by themselves; returns whether they end.
function settled() {
  for (let tick = 0; againing && !winning; tick++) {
    if (tick === ${MOST_TICKS}) return false;
    againing = false;
    processInput(-1);
  }
  return true;
}

function searchedWithOriginal({text, level: number, seconds, least}, used) {
  unitTesting = true; lazyFunctionGeneration = false; winning = false;
  resetParserErrorState();
  compile(['loadLevel', number], text, null);
  const inputs = 'noaction' in state.metadata ? [0, 1, 2, 3] : [0, 1, 2, 3, 4];
  if (!settled()) return {status: 'endless', length: ''};
  if (winning) return {status: 'solved', length: 0, turns: 0, seconds: 0};
  const start = level.objects.slice(), view = oldflickscreendat.concat([]), {width, height} = level;
  const key = () => Buffer.from(level.objects.buffer).latin1Slice();
  const began = used();
  let turns = 0;

  function search() {
    const seen = new Set();
    level.objects = start.slice();
    seen.add(key());
    for (let layer = [start], length = 1; layer.length; length++) {
      const next = [];
      for (const dat of layer) {
        for (const pressed of inputs) {
          if (turns % ${LOOK_EVERY} === 0 && used() - began > seconds) return {status: 'limit', length: ''};
          if (turns % ${ERRORS_EVERY} === 0) resetParserErrorState();
          turns++;
          backups = []; winning = false; againing = false;
          restoreLevel({dat, width, height, oldflickscreendat: view});
          processInput(pressed);
          const rests = settled();
          if (winning) return {status: 'solved', length};
          if (!rests) continue;
          const known = seen.size;
          seen.add(key());
          if (seen.size > known) next.push(level.objects.slice());
        }
      }
      layer = next;
    }
    return {status: 'exhausted-unsolvable', length: ''};
  }

  const found = search();
  while (used() - began < least) search();
  return {...found, turns, seconds: used() - began};
}`;

const folder = path.join(process.argv[2], 'src', 'js');
const sources = FILES.map(name => fs.readFileSync(path.join(folder, `${name}.js`), 'utf8'));
const print = console.log;
console.log = console.error = console.warn = nothing;
vm.runInThisContext([...sources, SEARCH].join('\n'), {filename: 'original'});

function used() {
  const {user, system} = process.cpuUsage();
  return (user + system) / 1e6;
}
readline.createInterface({input: process.stdin})
  .on('line', line => print(JSON.stringify(global.searchedWithOriginal(JSON.parse(line), used))));
