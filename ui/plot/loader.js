// Streamlit sends this text with every rerun, so it holds nothing but the way to the modules.
// Streamlit's own script tells where the app is, whatever base path or proxy stands before it.
const ownScript = document.querySelector('script[type="module"][src*="static/js/"]');
const folder = new URL("../../plot/VERSION/", ownScript.src).href;
// All are asked for at once. Else a module would wait for the one that imports it.
const modules = NAMES.map((name) => import(folder + name));
const [adapter] = await Promise.all(modules).catch((error) => {
  const wayOut = 'Start the app with "streamlit run app.py", which serves it.';
  throw new Error(`${folder} could not be loaded (${error.message}). ${wayOut}`);
});
export default adapter.PART;
